; What of a Java source is about tests. `test_model.rs` says what each name means.

(method_declaration) @function
[(lambda_expression) (class_body)] @apart
(return_statement) @leaves
(throw_statement) @fails
(assert_statement) @outright

; A check by its name, whoever defines it: a test that calls it is not hollow for that. Which of them are observed, and what
; their arguments are, is said in `java/checks.rs`, for those too who have no model at hand.
(method_invocation
  name: (identifier) @_name
  (#match? @_name "^fail$|(?i:assert|check|verify|expect|should)")) @check
