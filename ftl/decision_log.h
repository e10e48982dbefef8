// What policies decided and what they saw when they did: for plots and debugging.
//
// The mechanism that asks a policy records the answer, at the place where it asks; a policy knows
// nothing of it. Without a log (nullptr, the default) that costs a test of a pointer. A decision
// that is asked for all the time (where the next host write goes) is recorded when the answer
// changes. Kinds that may still give a row per command are recorded when they are asked for by
// name. To log another decision, add a line to both lists below and call decided() where it is
// made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace ftlsim {

enum class Decision : uint8_t {
  kGcVictim,
  kFoldVictim,
  kSlcLimit,
  kRoute,
  kReclaim,
  kThrottle,
  kRequest,
  kWearMove,
  kWearOpen,
  kFoldTrigger,
  kKeep,
  kExhaustion,
  kRelease,
  kThermal,
  kSlcRoute,
  kSched,
  kMapVictim,
};
inline constexpr size_t kDecisions = 17;

// Name of the kind, what it is, and its columns in the order of the recorded values. Superblocks
// without a value (none chosen) are recorded as an empty text. GB are decimal; shares are of the
// TLC capacity of a superblock, in both modes, so that a fold and a collection can be compared.
struct DecisionKind {
  const char* name;
  const char* doc;
  const char* columns;
  bool frequent = false;  // only when it is named
};
inline constexpr DecisionKind kDecisionKinds[kDecisions] = {
    {"gc_victim", "the superblock to empty, by gc.victim",
     "reason,free_superblocks,closed_slc,closed_tlc,mean_valid_share,least_valid_share,"
     "slc_used_GB,slc_limit_GB,superblock,mode,valid_share,opened"},
    {"fold_victim", "the SLC superblock to empty, by slc.fold.victim, slc.keep or slc.release",
     "reason,free_superblocks,closed_slc,closed_tlc,mean_valid_share,least_valid_share,"
     "slc_used_GB,slc_limit_GB,superblock,mode,valid_share,opened"},
    {"slc_limit", "a new limit of the SLC cache, by slc.mode",
     "unused_GB,used_GB,valid_GB,mapped_GB,idle,policy_GB,physical_GB,former_GB,limit_GB"},
    {"route", "where host writes go from now on",
     "units,used_GB,limit_GB,exhausted,forced,destination"},
    {"reclaim", "what reclaim works for from now on",
     "free_superblocks,low_watermark,high_watermark,slc_used_GB,slc_limit_GB,forced,fold_demanded,"
     "idle"},
    {"throttle", "host writes are held back for reclaim, or let go on",
     "free_superblocks,allowance_units,host_share,units,throttled"},
    {"request", "another module asks for a superblock to be emptied (wear levelling, refresh)",
     "cause,superblock,valid_share,urgent,accepted"},
    {"wear_move", "static wear levelling moves cold data",
     "source,source_cycles,target,target_cycles,gap"},
    {"wear_open", "the free superblock to open next, when wear decides",
     "order,free_superblocks,least_cycles,most_cycles,superblock,cycles"},
    {"fold_trigger", "slc.fold.trigger wants to fold from now on, or no more",
     "used_GB,limit_GB,kept_GB,idle,exhausted,fold"},
    {"keep", "the superblock that slc.keep gives up for folding",
     "used_GB,kept_GB,closed_slc,superblock,opened,valid_share,host_reads"},
    {"exhaustion", "a full SLC cache: what slc.at_exhaustion does from now on",
     "used_GB,limit_GB,resume_GB,units,room_units,slc_units,state"},
    {"release", "an SLC superblock that died, or is nearly dead: what slc.release does",
     "superblock,valid_share,slc_used_GB,slc_valid_GB,free_superblocks,answer"},
    {"thermal", "throttling by temperature from now on",
     "controller_C,nand_C,composite_C,dies,host_MBps,halted"},
    {"slc_route", "slc.route lets host writes in, or sends them past the cache, from now on",
     "lpn,units,used_GB,limit_GB,to_slc", true},
    {"sched", "which class a die serves first, by sched.policy, when several wait",
     "die,host_read_us,other_read_us,write_us,starved,class", true},
    {"map_victim", "the translation page that leaves a frame, by map.cache",
     "tier,frames,changed_pages,page,fate", true},
};

// A recorded value: a whole number, a real, or a text that lives forever.
struct DecisionValue {
  enum class Kind : uint8_t { kInteger, kReal, kText } kind;
  union {
    int64_t integer;
    double real;
    const char* text;
  };
  DecisionValue(bool v) : kind(Kind::kInteger), integer(v) {}      // NOLINT: a value as it is
  DecisionValue(int64_t v) : kind(Kind::kInteger), integer(v) {}   // NOLINT
  DecisionValue(uint32_t v) : kind(Kind::kInteger), integer(v) {}  // NOLINT
  DecisionValue(double v) : kind(Kind::kReal), real(v) {}          // NOLINT
  DecisionValue(const char* v) : kind(Kind::kText), text(v) {}     // NOLINT
};

class DecisionLog {
 public:
  // Is this kind recorded? Rows of others are dropped; asked once, to spare making them.
  virtual bool takes(Decision kind) const = 0;
  // As many values as the kind has columns.
  virtual void decided(Decision kind, std::initializer_list<DecisionValue> values) = 0;

 protected:
  ~DecisionLog() = default;
};

// 4 KiB slots as decimal GB.
inline double gigabytes_of(uint64_t slots) { return static_cast<double>(slots) * 4096.0 / 1e9; }

}  // namespace ftlsim
