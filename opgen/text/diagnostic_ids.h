// Every message that a run can end with, as a closed set.
//
// To add one, write a line X(kName, "message") in the part of its layer. "{0}",
// "{1}", ... are holes that the caller fills in this order. Messages are
// lower-case phrases without a full stop that say what is wrong with the input,
// names in single quotes. kName gives the stable name that JSON and SARIF show:
// kYamlDuplicateKey is "yaml-duplicate-key".
#pragma once

// clang-format off
#define OPGEN_DIAGNOSTICS(X)                                                     \
  /* files */                                                                    \
  X(kFileCannotRead, "cannot read '{0}': {1}")                                   \
  X(kFileCannotWrite, "cannot write '{0}': {1}")                                 \
  X(kFileCannotCreateFolder, "cannot create folder '{0}': {1}")                  \
  X(kFileWrittenTwice, "two outputs have the path '{0}'")                        \
  /* yaml */                                                                     \
  X(kYamlSyntax, "{0}")                                                          \
  X(kYamlNotUtf8, "the file is not UTF-8")                                       \
  X(kYamlTooLarge, "the file has more than {0} bytes")                           \
  X(kYamlTooDeep, "more than {0} levels of nesting")                             \
  X(kYamlTooManyNodes, "the document has more than {0} nodes with its aliases expanded") \
  X(kYamlSeveralDocuments, "the file holds more than one document")              \
  X(kYamlDuplicateKey, "duplicate key '{0}'")                                    \
  X(kYamlKeyNotScalar, "the key of a mapping must be a scalar")                  \
  X(kYamlTag, "the tag '{0}' is not supported")                                  \
  X(kYamlUnknownAnchor, "no anchor '{0}' comes before this alias")               \
  X(kYamlRecursiveAlias, "the anchor '{0}' is used inside itself")               \
  X(kYamlBadMerge, "a merge key needs a mapping or a list of mappings")          \
  X(kYamlBadNumber, "'{0}' looks like a number but is none") \
  /* descriptions of backends */                                                 \
  X(kBackendNotMapping, "a backend's description must be a mapping, not {0}")    \
  X(kBackendUnknownKey, "unknown key '{0}'")                                     \
  X(kBackendMissingKey, "the key '{0}' is missing")                              \
  X(kBackendValueType, "'{0}' must be {1}, not {2}")                             \
  X(kBackendNotIdentifier, "'{0}' must be a C++ name, not '{1}'")                \
  X(kBackendNamespaceLevels, "'{0}' has {1} levels of namespaces; at most {2} are possible") \
  X(kBackendUnknownDispatchKey, "'{0}' is not a dispatch key")                   \
  X(kBackendNoAutogradKey, "operators are listed under 'autograd', but there is no dispatch key '{0}'") \
  X(kBackendKeyTaken, "the dispatch key '{0}' has kernels in native_functions.yaml; a backend needs one of its own") \
  X(kBackendUnknownOperator, "unknown operator '{0}'")                           \
  X(kBackendMixedVariants, "variants of one operator are under 'supported' and under 'autograd': '{0}' and '{1}'") \
  X(kBackendOperatorTwice, "'{0}' is listed twice")                              \
  X(kBackendSymintUnused, "'{0}' is under 'symint', but in no list of kernels")  \
  X(kBackendNotStructured, "'{0}' has no structured kernels: native_functions.yaml gives it no meta function") \
  X(kBackendStructuredVariant, "'{0}' has the structured kernel of its group and must not have another one") \
  X(kBackendStructuredSymint, "'{0}' is structured and cannot take SymInt")      \
  X(kBackendStructuredAutograd, "'{0}' is under 'autograd' and cannot be structured") \
  X(kBackendCannotGenerate, "cannot generate code for '{0}': {1}")               \
  X(kKernelCount, "definitions of '{1}' in '{3}': expected {0}, found {2}") \
  X(kKernelMissing, "there is no definition of '{0}', the kernel of '{1}'")      \
  X(kKernelSignature, "'{0}' does not have the parameters of '{1}': {2}")        \
  X(kOverlayNotList, "an overlay must be a list of operators, not {0}")          \
  X(kOverlayExists, "there is an operator '{0}' already")                        \
  X(kOverlayStructured, "'{0}' comes from an overlay and cannot be structured")  \
  X(kOverlayUfunc, "'{0}' comes from an overlay and cannot have ufunc_inner_loop") \
  /* end of descriptions of backends */ \
  /* schemas */                                                                  \
  X(kSchemaControlCharacter, "a schema must be one line without control characters") \
  X(kSchemaNoName, "a schema must look like 'name(arguments) -> returns'; the name and '(' are missing") \
  X(kSchemaNoArrow, "a schema must look like 'name(arguments) -> returns'; ') -> ' is missing") \
  X(kSchemaNoReturns, "the returns are missing; write '()' if there are none")   \
  X(kOperatorNameEmpty, "the name of the operator is missing")                   \
  X(kOperatorNameOutSuffix, "the name '{0}' must not end with '_out'; use the overload name 'out' instead") \
  X(kOperatorNameColons, "'{0}' needs a namespace before '::' and a name after it") \
  X(kOperatorNameDunder, "'{0}' starts with '__i' but is not one of Python's in-place operators") \
  X(kOperatorNameFunctionalInplace, "'{0}' cannot be both in-place and the functional twin of an operator") \
  X(kOperatorNameEmptyOverload, "the overload name after '.' is missing")        \
  X(kArgumentEmpty, "an argument is missing between two commas or at the end of the list") \
  X(kArgumentNoName, "the argument '{0}' needs a type and a name, separated by a space") \
  X(kArgumentEmptyDefault, "the default value of '{0}' is missing after '='")    \
  X(kArgumentTwoDefaults, "the argument '{0}' has more than one '='")            \
  X(kArgumentAfterOutput, "'{0}' is not mutable and cannot follow an output argument; move it before the outputs") \
  X(kStarTwice, "'*' can occur only once")                                       \
  X(kStarLast, "'*' must be followed by a keyword-only argument")                \
  X(kUnknownType, "unknown type '{0}'")                                          \
  X(kCommaWithoutSpace, "'{0}' is not a type; separate arguments with a comma and one space") \
  X(kAnnotationPlace, "'{0}' is not a type; an annotation belongs right behind 'Tensor', as in 'Tensor(a!)?'") \
  X(kCustomClassName, "'{0}' needs the name of a class after '__torch__.torch.classes.', made of letters, digits, '_' and '.'") \
  X(kTypeTooDeep, "a type can have at most 16 levels of '?' and '[]'")           \
  X(kListSize, "the list size '{0}' must be at least 1 and have no leading zero") \
  X(kListSizeTooLarge, "the list size '{0}' is too large")                       \
  X(kAnnotatedTypeForm, "'{0}' must be an annotated 'Tensor', 'Tensor?' or 'Tensor[]'; lists with a size cannot be annotated") \
  X(kAnnotationSyntax, "the annotation '({0})' must look like '(a)', '(a!)', '(a|b)' or '(a -> *)'") \
  X(kAnnotationAfterArrow, "the annotation '({0})' needs '*' or letters after '->'") \
  X(kAnnotationWritesSet, "the annotation '({0})' names several aliases; only a single one can be written to") \
  X(kAnnotationLargeSet, "the annotation '({0})' can name at most two aliases before '->'") \
  X(kAnnotationTwoSets, "the annotation '({0})' cannot name several aliases on both sides of '->'") \
  X(kReturnEmpty, "a return is missing")                                         \
  X(kReturnNeedsName, "the return '{0}' needs a name, because its annotation has '->'") \
  X(kReturnParentheses, "a single return must be written without parentheses")   \
  X(kReturnNoParentheses, "several returns must be in parentheses")              \
  X(kTensorOptionsTwice, "the tensor options dtype, layout, device and pin_memory can occur only once") \
  X(kTensorOptionsOfMutable, "tensor options are only for operators that make a new tensor, not for in-place, out= or mutable ones") \
  X(kMutableBeforeSelf, "'{0}' comes before self and cannot be mutable")         \
  X(kMutableArgumentReturned, "'{0}' is positional and mutable and must not be returned; make it keyword-only or drop the return") \
  X(kReturnAliasesSeveral, "the return '({0})' aliases several arguments; give each of them a letter of its own") \
  X(kReturnOfNoOutput, "the return '({0})' must alias self or a keyword-only output; did an output miss the '*' before it?") \
  X(kMixedReturns, "returns must be either all mutable or none of them")         \
  X(kListOutputReturned, "an operator with outputs other than plain tensors must return '()'") \
  X(kOutputCount, "all outputs must be returned: expected {0} returns, found {1}") \
  X(kOutputOrder, "this return must alias the output '{0}': outputs are returned in the order of the arguments") \
  X(kOutputOfInplace, "the in-place operator '{0}' cannot have output arguments") \
  X(kInplaceSelf, "the in-place operator '{0}' needs an argument self that is mutable, as in 'Tensor(a!) self'") \
  X(kInplaceReturn, "the in-place operator '{0}' must return exactly self, 'Tensor({1})'") \
  X(kInplaceListReturn, "the in-place operator '{0}' must return '()', because self is not a plain tensor") \
  X(kFunctionalOverload, "the overload name '{0}' contains 'functional', which is only for operators that mutate nothing") \
  X(kBernoulliDefault, "'{0}' of bernoulli.p must not have a default value, which its other variants have") \
  /* entries of native_functions.yaml and tags.yaml */                           \
  X(kTagsNotList, "tags.yaml must be a list of tags, but is {0}")                \
  X(kTagNotMapping, "a tag must be a mapping with 'tag' and 'desc', but this is {0}") \
  X(kTagWithoutName, "the name of the tag, 'tag', is missing")                   \
  X(kTagNameType, "the name of a tag must be a string, but is {0}")              \
  X(kTagWithoutDescription, "the tag '{0}' needs a description, 'desc'")         \
  X(kFunctionsNotList, "native_functions.yaml must be a list of operators, but is {0}") \
  X(kEntryNotMapping, "an operator must be a mapping, but this is {0}")          \
  X(kUnknownField, "an operator has no field '{0}'")                             \
  X(kFieldType, "'{0}' must be {1}, but is {2}")                                 \
  X(kNoFunc, "the field 'func' with the schema is missing")                      \
  X(kSchemaNamespaces, "a schema can have at most one namespace, as in 'custom::add(...)'") \
  X(kConstRefOfOut, "an operator with output arguments cannot use 'use_const_ref_for_mutable_tensors'") \
  X(kUnknownVariant, "unknown variant '{0}'; write 'function', 'method' or 'function, method'") \
  X(kUnknownDeviceCheck, "unknown device check '{0}'; write 'NoCheck' or 'ExactSame'") \
  X(kModuleMethod, "an operator of the python module '{0}' cannot be a method")  \
  X(kStructuredNamespace, "'{0}' cannot name a namespace; it is in the operator's own one") \
  X(kArgumentNameType, "the name of an argument must be a string, but is {0}")   \
  X(kNoSuchDefault, "'cpp_no_default_args' names '{0}', which is no argument with a default value") \
  X(kTagType, "a tag must be a string, but is {0}")                              \
  X(kUnknownTag, "unknown tag '{0}'")                                            \
  X(kDispatchKeyType, "a dispatch key must be a string, but is {0}")             \
  X(kKernelType, "the kernel for '{0}' must be a string, but is {1}")            \
  X(kUnknownDispatchKey, "unknown dispatch key '{0}'")                           \
  X(kUnsupportedDispatchKey, "no kernels can be registered for the dispatch key '{0}'") \
  X(kKernelNamespaces, "the kernel '{0}' has more than 3 namespaces")            \
  X(kManualDispatch, "'dispatch' has no effect with 'manual_kernel_registration'; drop one of them") \
  X(kNeedlessDispatchTable, "this dispatch table says what a missing one means; delete it") \
  X(kCompositeKernelName, "the only kernel is called '{0}'; rename it to '{1}' and delete the dispatch table") \
  X(kFactoryWithoutDispatch, "'{0}' makes a new tensor and needs a dispatch table, with CompositeExplicitAutograd if it has one kernel for all backends") \
  X(kSeveralComposites, "a dispatch table can have only one composite kernel, or CompositeImplicitAutogradNestedTensor with one of CompositeImplicitAutograd and CompositeExplicitAutograd") \
  X(kDelegatedKernel, "an operator with 'structured_delegate' must not have a kernel for {0}, because the delegate has it") \
  X(kUfuncType, "a ufunc must be a string, but is {0}")                          \
  X(kUnknownUfuncKey, "unknown ufunc key '{0}'")                                 \
  X(kUfuncForm, "the ufunc '{0}' must look like 'name (Type, Type)'")            \
  X(kUnknownDtype, "unknown dtype '{0}'")                                        \
  X(kUfuncNotStructured, "'ufunc_inner_loop' needs 'structured: True'")          \
  X(kUfuncDispatch, "'ufunc_inner_loop' generates the kernel for {0}; delete it from the dispatch table") \
  X(kPrecomputedNotStructured, "'precomputed' needs 'structured: True'")         \
  X(kPrecomputedType, "a precomputed item must be a string, but is {0}")         \
  X(kPrecomputedOrder, "precomputed arguments that replace none must be in the last item") \
  X(kPrecomputedName, "'{0}' before '->' must be the name of one argument")      \
  X(kPrecomputedArrows, "a precomputed item can have only one '->'")             \
  X(kPrecomputedTwice, "'{0}' is replaced twice")                                \
  X(kPrecomputedUpperCase, "the precomputed argument '{0}' must have a lower-case letter in its name") \
  X(kPrecomputedSpelling, "the precomputed arguments must be written as '{0}'")  \
  /* single operators */                                                         \
  X(kOutMethod, "'{0}' has output arguments and must have only the variant 'function'") \
  X(kStructuredNotOut, "'structured' belongs to the out= variant, which '{0}' is not; write 'structured_delegate' here") \
  X(kDelegateOfOut, "'{0}' is an out= variant and cannot have 'structured_delegate'; write 'structured: True'") \
  X(kStructuredDeviceGuard, "'{0}' is structured; structured kernels do not respect 'device_guard: False'") \
  X(kInheritsNotStructured, "'structured_inherits' of '{0}' needs 'structured: True'") \
  X(kForeachDeviceCheck, "'{0}' needs 'device_check: NoCheck', because foreach kernels take tensors on different devices") \
  X(kNotSeeded, "'{0}' looks random and needs the tag 'nondeterministic_seeded'") \
  /* several operators */                                                        \
  X(kDuplicateOperator, "there are two operators '{0}' with a kernel for {1}")    \
  X(kNoDelegate, "'{0}' delegates to '{1}', which does not exist")               \
  X(kDelegateNotStructured, "'{0}' delegates to '{1}', which is not structured") \
  X(kPythonKeyword, "the argument '{0}' of '{1}' is called like a keyword of Python") \
  X(kInplaceViewName, "'{0}' has the tag 'inplace_view', so its name must end with '_'") \
  X(kInplaceViewWithoutView, "'{0}' has the tag 'inplace_view', but there is no view '{1}'") \
  X(kDuplicateSchemaKind, "there are two variants of this kind with the signature of '{0}'") \
  X(kOutWithoutVariants, "'{0}' has no functional variant: no other operator has its signature") \
  X(kNoOutVariant, "no out= variant can be generated for '{0}', because it returns no tensor") \
  X(kGenerateMutableReturn, "no out= variant can be generated for '{0}', because it returns what it mutates") \
  X(kGenerateLetters, "no out= variant can be generated for '{0}', because it would need more than 26 annotations") \
  X(kScratchVariant, "'{0}' has scratch arguments and cannot have other variants") \
  X(kNoFunctionalVariant, "'{0}' and '{1}' belong together, but there is no functional variant") \
  X(kGeneratedNotGrouped, "the generated variant '{0}' does not have the signature of the operator it comes from") \
  X(kUnstructuredVariant, "'{1}' is structured, so '{0}' needs 'structured_delegate: {1}'") \
  X(kStructuredVariant, "'{0}' is structured, so its variant '{1}' needs 'structured: True'") \
  X(kStructuredVariantMissing, "'{1}' is structured and needs its variant '{0}', which is missing") \
  X(kVariantNamespace, "'{0}' and its variant '{1}' must be in the same namespace") \
  X(kFunctionalName, "'{0}' is the functional variant of the mutable '{1}'; its name must end with '_functional'") \
  X(kStructuredComposite, "'{0}' is structured and cannot have an implicit composite kernel") \
  X(kWrongDelegate, "'{0}' must delegate to '{1}', the out= variant with its signature") \
  X(kNoAutogen, "variants are generated for this operator; it needs 'autogen: {0}'") \
  X(kNeedlessAutogen, "nothing is generated for this operator; delete 'autogen: {0}'") \
  X(kWrongAutogen, "this must be 'autogen: {0}', but is 'autogen: {1}'")         \
  /* views */                                                                    \
  X(kNoInplaceViewTag, "'{0}' is an in-place view and needs the tag 'inplace_view'") \
  X(kDuplicateViewKind, "'{0}' and '{1}' are two variants of the same kind for one view") \
  X(kNoViewCopy, "'{0}' is a view and needs an operator '{1}' that copies")      \
  X(kViewCopyName, "'{0}' copies what '{1}' views; its name must end with '_copy' or '_scatter'") \
  X(kViewCopySignature, "'{0}' must have the signature of the view '{1}'")       \
  X(kNoViewCopyTag, "'{0}' copies what '{1}' views and needs the tag 'view_copy'") \
  X(kViewInplaceSignature, "the in-place view '{0}' must have the signature of '{1}'") \
  X(kViewInplaceComposite, "the in-place view '{0}' needs a CompositeImplicitAutograd kernel, because '{1}' has one") \
  X(kViewInplaceNestedComposite, "the in-place view '{0}' needs a CompositeImplicitAutogradNestedTensor kernel, because '{1}' has one") \
  /* end of schemas */                                                           \
  /* derivatives */                                                              \
  X(kDerivativesShape, "{0} must be {1}, not {2}") \
  X(kDerivativesNoName, "the entry needs a 'name', the schema of an operator") \
  X(kDerivativesUnknownSchema, "no operator has the schema '{0}'") \
  X(kDerivativesNoVariant, "no variant of the operator of '{0}' is called '{1}'") \
  X(kDerivativesReservedName, "the argument '{1}' of '{0}' needs another name: generated code uses this one") \
  X(kDerivativesKey, "'{0}' is not a dispatch key that derivatives can be given for") \
  X(kDerivativesOverlap, "'{0}' has a derivative and is declared non_differentiable") \
  /* generation */                                                               \
  X(kCannotGenerate, "cannot generate code for '{0}': {1}")                      \
  X(kGenerationFailed, "{0}")                                                    \
  X(kAutogradMissing, "no derivatives.yaml was found for '{0}'; name its folder with --autograd") \
  X(kStaticDispatchKey, "'{0}' is not a dispatch key")     \
  X(kFallbackOpsMissing, "the list of the AOTInductor shim was not found; tried {0}") \
  X(kFallbackOps, "the list of the AOTInductor shim cannot be read: {0}")        \
  X(kAotiShimChanged, "'{0}': {1}")                                                     \
  /* selections of operators */                                                  \
  X(kSelectionShape, "{0} must be {1}, not {2}")                                 \
  X(kSelectionUnknownKey, "unexpected key '{0}'")                                \
  X(kSelectionName, "the name must be that of the entry, '{0}'")                 \
  X(kSelectionTwice, "operators can be selected by a list on the command line or by a file, not by both") \
  X(kTemplateHole, "nothing fills the hole '{0}'")                               \
  /* runs */                                                                     \
  X(kGenerationStopped, "more than {0} operators cannot be generated; no others were looked for") \
  X(kExplainUnknownOperator, "there is no operator '{0}'") \
  /* operators of a device in the host's memory */                               \
  X(kHostHeader, "'{0}' must name a header, without quotes, backslashes and control characters; this is '{1}'") \
  X(kHostOperatorName, "'{0}' cannot be wrapped: '{1}' is not a C++ name")       \
  X(kHostArgumentName, "'{0}' cannot be wrapped: its argument '{1}' needs another name, because the wrapper uses this one")
// clang-format on
