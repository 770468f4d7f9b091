; Colours of CUDA Fortran. What stands further inside counts more; the words of the grammar, which are keywords, are added by
; `src/syntax/colour.rs`.

; Statements whose words are no nodes of their own: names and arguments inside get their own colours.
[
  (block_construct) (contains_statement) (default) (none) (keyword_statement) (implicit_statement)
  (end_associate_statement) (end_block_construct_statement) (end_block_data_statement) (end_do_loop_statement)
  (end_enum_statement) (end_forall_statement) (end_function_statement) (end_if_statement) (end_interface_statement)
  (end_module_procedure_statement) (end_module_statement) (end_program_statement) (end_select_statement)
  (end_submodule_statement) (end_subroutine_statement) (end_type_statement) (end_where_statement)
] @keyword

[(identifier) (name) (module_name) (type_member) (block_label)] @plain
(block_construct (_) @plain)

[(intrinsic_type) (derived_type) (type_name)] @type
[(type_qualifier) (procedure_qualifier) (procedure_attributes) (access_specifier) (abstract_specifier)] @attribute
(procedure_attributes (identifier) @attribute)
[(number_literal) (boolean_literal) (null_literal) (statement_label) (statement_label_reference)] @number
(string_literal) @string
(comment) @comment

(subroutine_call subroutine: (identifier) @function)
(subroutine_statement name: (name) @function)
(function_statement name: (name) @function)
(end_subroutine_statement (name) @function)
(end_function_statement (name) @function)

; CUDA Fortran
(cuf_kernel_do_directive) @directive
(cuda_kernel_argument_list ["<<<" ">>>"] @cuda)
(cuf_launch_configuration ["<<<" ">>>"] @cuda)
((identifier) @cuda (#match? @cuda "^(?i)(thread|block)idx$|^(?i)(block|grid)dim$|^(?i)warpsize$"))
((subroutine_call subroutine: (identifier) @cuda) (#match? @cuda "^(?i)sync(threads|warp)|^(?i)threadfence"))

; The preprocessor
[(preproc_include) (preproc_def) (preproc_function_def) (preproc_call)] @preprocessor
["#if" "#ifdef" "#ifndef" "#elif" "#elifdef" "#else" "#endif" (preproc_directive)] @preprocessor
