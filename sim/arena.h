// Large arrays whose untouched part costs no memory.
//
// LazyArray<T> reserves address space for n zero elements; the kernel supplies pages on first touch
// and 2 MiB pages where it can. T must be trivial, and all-zero bytes must be its empty value.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <type_traits>
#include <utility>

#include "sim/assert.h"

namespace ftlsim {

template <class T>
class LazyArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  LazyArray() = default;
  explicit LazyArray(size_t n) : size_(n) {
    if (n == 0) return;
    void* p = mmap(nullptr, n * sizeof(T), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    SIM_ASSERT(p != MAP_FAILED, "cannot reserve {} bytes", n * sizeof(T));
    madvise(p, n * sizeof(T), MADV_HUGEPAGE);
    data_ = static_cast<T*>(p);
  }
  LazyArray(LazyArray&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  LazyArray& operator=(LazyArray&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~LazyArray() {
    if (data_ != nullptr) munmap(data_, size_ * sizeof(T));
  }

  // All elements become zero again and their memory is returned.
  void clear() {
    if (data_ != nullptr) madvise(data_, size_ * sizeof(T), MADV_DONTNEED);
  }

  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace ftlsim
