// Replaces every form of the global operator new and delete by malloc and free plus a counter. All
// forms, because the sanitizers bring their own of those that are not replaced; they still see
// every allocation, since they intercept malloc and free.
#include "tests/allocation.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<uint64_t> g_allocations{0};

void* allocate(std::size_t size) noexcept {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}

void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  const auto align = static_cast<std::size_t>(alignment);
  // aligned_alloc wants a size that is a multiple of the alignment.
  const std::size_t rounded = (size + align - 1) / align * align;
  return std::aligned_alloc(align, rounded == 0 ? align : rounded);
}

void* or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

namespace ftlsim::test {

uint64_t allocation_count() { return g_allocations.load(std::memory_order_relaxed); }

}  // namespace ftlsim::test

using std::align_val_t;
using std::nothrow_t;
using std::size_t;

void* operator new(size_t size) { return or_throw(allocate(size)); }
void* operator new[](size_t size) { return or_throw(allocate(size)); }
void* operator new(size_t size, align_val_t align) { return or_throw(allocate(size, align)); }
void* operator new[](size_t size, align_val_t align) { return or_throw(allocate(size, align)); }

void* operator new(size_t size, const nothrow_t&) noexcept { return allocate(size); }
void* operator new[](size_t size, const nothrow_t&) noexcept { return allocate(size); }
void* operator new(size_t size, align_val_t align, const nothrow_t&) noexcept {
  return allocate(size, align);
}
void* operator new[](size_t size, align_val_t align, const nothrow_t&) noexcept {
  return allocate(size, align);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t, align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, align_val_t, const nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, align_val_t, const nothrow_t&) noexcept { std::free(memory); }
