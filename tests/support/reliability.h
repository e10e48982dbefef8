// The reliability constants that ship with the drives, for tests.
#pragma once

#include <stdexcept>

#include "nand/reliability/config.h"
#include "sim/config.h"

namespace ftlsim::test {

// configs/nand/reliability-ct-tlc.yaml with the surface model on and, unless asked for, without
// variation between blocks and word lines.
inline ReliabilityConfig ct_tlc(bool variation = false) {
  struct Root {
    struct Nand {
      ReliabilityConfig reliability;
      void visit(FieldVisitor& v) { v.section({"reliability", ""}, reliability); }
    } nand;
    void visit(FieldVisitor& v) { v.section({"nand", ""}, nand); }
  } root;
  Diagnostics diagnostics;
  if (!load_config(FTLSIM_SOURCE_CONFIG_DIR "/nand/reliability-ct-tlc.yaml", {}, root, diagnostics))
    throw std::runtime_error(diagnostics.to_string());
  ReliabilityConfig& c = root.nand.reliability;
  c.model = RberForm::kSurface;
  if (!variation) c.variation = {};
  return c;
}

// The same with the variation of one lognormal factor.
inline ReliabilityConfig ct_tlc_sigma(double sigma) {
  ReliabilityConfig c = ct_tlc();
  c.variation.word_line_sigma = sigma;
  return c;
}

}  // namespace ftlsim::test
