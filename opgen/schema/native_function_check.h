// What a NativeFunction must keep to (torchgen's NativeFunction.__post_init__).
#pragma once

#include "opgen/model/native_function.h"
#include "opgen/schema/entry_fields.h"
#include "opgen/schema/function_site.h"
#include "opgen/text/diagnostics.h"

namespace opgen::schema {

void check_native_function(const model::NativeFunction& f,
                           const EntryFields& fields,
                           const FunctionSite& site,
                           text::Diagnostics& diagnostics);

}  // namespace opgen::schema
