// What SlcCache records of the decisions of its policies, when somebody asked for it.
#include "ftl/slc/slc_cache.h"

namespace ftlsim {

void SlcCache::note_limit(const SlcState& s, uint64_t wanted, uint64_t former) {
  log_->decided(Decision::kSlcLimit, {gigabytes_of(s.unused), gigabytes_of(s.used),
                                      gigabytes_of(s.valid), gigabytes_of(s.mapped), s.idle,
                                      gigabytes_of(wanted), gigabytes_of(physical_limit(s.unused)),
                                      gigabytes_of(former), gigabytes_of(limit_)});
}

void SlcCache::note_route(const Route& route, uint32_t units, bool forced) {
  const char* destination = route.stream == Stream::kHostTlc ? "tlc" : "slc";
  if (route.units == 0) destination = "wait";
  const uint32_t answer = (static_cast<uint32_t>(route.stream) << 2) |
                          (route.units == 0 ? 2u : 0u) | (forced ? 1u : 0u);
  if (answer == noted_route_) return;
  noted_route_ = answer;
  log_->decided(Decision::kRoute, {units, gigabytes_of(used_slots()), gigabytes_of(limit_),
                                   exhausted_, forced, destination});
}

// slc.route, whenever its answer changes.
void SlcCache::note_let_in(Lpn lpn, uint32_t units, bool in) {
  if (noted_let_in_ == static_cast<int>(in)) return;
  noted_let_in_ = static_cast<int>(in);
  route_log_->decided(Decision::kSlcRoute,
                      {lpn.value(), units, gigabytes_of(used_slots()), gigabytes_of(limit_), in});
}

// slc.fold.trigger, whenever its answer changes.
void SlcCache::note_trigger(const FoldState& s, bool wanted) {
  if (noted_trigger_ == static_cast<int>(wanted)) return;
  noted_trigger_ = static_cast<int>(wanted);
  log_->decided(Decision::kFoldTrigger, {gigabytes_of(s.used), gigabytes_of(s.limit),
                                         gigabytes_of(s.kept), s.idle, s.exhausted, wanted});
}

void SlcCache::note_given_up(SuperblockId sb) {
  const Superblock& superblock = table_[sb];
  log_->decided(Decision::kKeep,
                {gigabytes_of(used_slots()), gigabytes_of(kept_), table_.closed(CellMode::kSlc),
                 sb.value(), static_cast<int64_t>(superblock.opened),
                 static_cast<double>(table_.valid(sb)) / table_.usable(sb, CellMode::kTlc),
                 static_cast<int64_t>(superblock.host_reads)});
}

// Whenever the destination of host data that find a full cache changes, and when it has drained.
void SlcCache::note_exhaustion(uint32_t units, uint32_t room, uint32_t to_slc, const char* state) {
  if (noted_exhaustion_ == state) return;
  noted_exhaustion_ = state;
  log_->decided(Decision::kExhaustion, {gigabytes_of(used_slots()), gigabytes_of(limit_),
                                        gigabytes_of(resume_slots()), units, room, to_slc, state});
}

}  // namespace ftlsim
