#include "opgen/text/depfile.h"

#include <gtest/gtest.h>

namespace opgen::text {

namespace {

TEST(Depfile, OneLineForEachInput) {
  EXPECT_EQ(depfile({"a.h", "b.h"}, {"x.yaml", "t/y"}),
            "a.h b.h: \\\n  x.yaml \\\n  t/y\n");
  EXPECT_EQ(depfile({"a.h"}, {}), "a.h:\n");
}

TEST(Depfile, EscapesWhatTheReadersSplitAt) {
  EXPECT_EQ(depfile({"a b"}, {"c#d", "$e", "f\\ g", "h\\i"}),
            "a\\ b: \\\n  c\\#d \\\n  $$e \\\n  f\\\\\\ g \\\n  h\\i\n");
}

}  // namespace

}  // namespace opgen::text
