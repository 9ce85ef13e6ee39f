------------------------------- MODULE Unicode -------------------------------
EXTENDS Integers, Sequences
(* Symbols that are not ASCII, also in comments: äöü ∈ 𝔸. *)
(* --algorithm Unicode
variables n ∈ ℕ, f = [x ∈ {1, 2} ↦ x], ok = ∀ k ∈ 1‥2 : f[k] ≥ 1 ∧ k ≤ 2; (* 𝔸𝔹 *) t = ⟨1, 2⟩;
process P ∈ {1, 2}
variable m = 0
begin
L: n ≔ n + 1 ‖ m ≔ f[self];
   await ∃ k ∈ {1, 2} : k ≠ m ∨ ¬ ok;
M: t ≔ t ∘ ⟨m⟩; \* 𝔸
   ok := m ∉ {1} ⇒ n ⇔ m;
end process
end algorithm *)
=============================================================================
