From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
Local Open Scope R_scope.

(* What the steps below rest on: monotonicity by the mean value theorem, exp of multiples, signs of products. *)

Lemma exp_times (n : nat) (x : R) : exp x ^ n = exp (INR n * x).
Proof.
  induction n as [|n IH].
  - simpl. rewrite Rmult_0_l, exp_0. reflexivity.
  - rewrite S_INR. simpl pow. rewrite IH, <- exp_plus. f_equal. ring.
Qed.

Lemma tanh_exp (x : R) : tanh x = 1 - 2 * / (exp (2 * x) + 1).
Proof.
  unfold tanh, sinh, cosh. rewrite exp_Ropp. replace (2 * x) with (x + x) by ring. rewrite exp_plus.
  pose proof (exp_pos x) as H. assert (K : 0 < exp x * exp x) by (apply Rmult_lt_0_compat; exact H).
  field. repeat split; nra.
Qed.

Lemma rise (f df : R -> R) (a x : R) :
  a <= x ->
  (forall z, a <= z <= x -> is_derive f z (df z)) ->
  (forall z, a < z < x -> 0 <= df z) ->
  f a <= f x.
Proof.
  intros H D S. destruct H as [H | H]; [ | subst; apply Rle_refl].
  destruct (MVT_cor2 f df a x H) as [c [E C]].
  - intros c C. apply is_derive_Reals. apply D. exact C.
  - assert (0 <= df c * (x - a)) by (apply Rmult_le_pos; [apply S; exact C | lra]). lra.
Qed.

Lemma rise_strictly (f df : R -> R) (a x : R) :
  a < x ->
  (forall z, a <= z <= x -> is_derive f z (df z)) ->
  (forall z, a < z < x -> 0 < df z) ->
  f a < f x.
Proof.
  intros H D S.
  destruct (MVT_cor2 f df a x H) as [c [E C]].
  - intros c C. apply is_derive_Reals. apply D. exact C.
  - assert (0 < df c * (x - a)) by (apply Rmult_lt_0_compat; [apply S; exact C | lra]). lra.
Qed.

Lemma fall (f df : R -> R) (x b : R) :
  x <= b ->
  (forall z, x <= z <= b -> is_derive f z (- df z)) ->
  (forall z, x < z < b -> 0 <= df z) ->
  f b <= f x.
Proof.
  intros H D S. destruct H as [H | H]; [ | subst; apply Rle_refl].
  destruct (MVT_cor2 f (fun z => - df z) x b H) as [c [E C]].
  - intros c C. apply is_derive_Reals. apply D. exact C.
  - assert (0 <= df c * (b - x)) by (apply Rmult_le_pos; [apply S; exact C | lra]). lra.
Qed.

Lemma fall_strictly (f df : R -> R) (x b : R) :
  x < b ->
  (forall z, x <= z <= b -> is_derive f z (- df z)) ->
  (forall z, x < z < b -> 0 < df z) ->
  f b < f x.
Proof.
  intros H D S.
  destruct (MVT_cor2 f (fun z => - df z) x b H) as [c [E C]].
  - intros c C. apply is_derive_Reals. apply D. exact C.
  - assert (0 < df c * (b - x)) by (apply Rmult_lt_0_compat; [apply S; exact C | lra]). lra.
Qed.

Lemma of_logs (a b : R) : 0 < a -> 0 < b -> 0 < ln a - ln b -> 0 < a - b.
Proof. intros A B H. assert (b < a) by (apply ln_lt_inv; lra). lra. Qed.

Lemma of_logs_weak (a b : R) : 0 < a -> 0 < b -> 0 <= ln a - ln b -> 0 <= a - b.
Proof.
  intros A B H. destruct (Rle_or_lt b a) as [K | K]; [lra | ].
  assert (ln a < ln b) by (apply ln_increasing; lra). lra.
Qed.

Lemma cancel_factor (k u : R) : 0 < k -> 0 < k * u -> 0 < u.
Proof. intros K H. apply (Rmult_lt_reg_l k); lra. Qed.

Lemma cancel_factor_weak (k u : R) : 0 < k -> 0 <= k * u -> 0 <= u.
Proof. intros K H. apply (Rmult_le_reg_l k); lra. Qed.

Lemma not_zero_above (u : R) : 0 < u -> u <> 0.
Proof. lra. Qed.

Lemma not_zero_below (u : R) : 0 < - u -> u <> 0.
Proof. lra. Qed.

(* Signs by structure where an end point is left out, by interval arithmetic elsewhere. *)
Ltac signs :=
  solve [ assumption | lra | signs_of_parts | interval | apply Rlt_le; signs_of_parts ]
with signs_of_parts :=
  match goal with
  | |- 0 < exp _ => apply exp_pos
  | |- 0 <= exp _ => apply Rlt_le; apply exp_pos
  | |- 0 < PI => apply PI_RGT_0
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; signs
  | |- 0 <= _ * _ => apply Rmult_le_pos; signs
  | |- 0 < / _ => apply Rinv_0_lt_compat; signs
  | |- 0 <= / _ => apply Rlt_le; apply Rinv_0_lt_compat; signs
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; signs
  | |- 0 < _ ^ _ => apply pow_lt; signs
  | |- 0 <= _ ^ _ => apply pow_le; signs
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 < sqrt _ => apply sqrt_lt_R0; signs
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 < _ + _ => first
      [ apply Rplus_lt_0_compat; signs | apply Rplus_lt_le_0_compat; signs | apply Rplus_le_lt_0_compat; signs ]
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; signs
  | |- 0 < exp ?u + -1 => enough (exp 0 < exp u) by (rewrite exp_0 in *; lra); apply exp_increasing; signs
  | |- 0 < exp ?u - 1 => enough (exp 0 < exp u) by (rewrite exp_0 in *; lra); apply exp_increasing; signs
  end.

Ltac nonzero := repeat split; first
  [ exact I | assumption | apply not_zero_above; signs | apply not_zero_below; signs | nonzero_parts | lra | signs ]
with nonzero_parts :=
  match goal with
  | |- _ * _ <> 0 => apply Rmult_integral_contrapositive_currified; nonzero
  | |- _ ^ _ <> 0 => apply pow_nonzero; nonzero
  | |- / _ <> 0 => apply Rinv_neq_0_compat; nonzero
  end.

Ltac same := first [ reflexivity | field; nonzero | simpl; field; nonzero | ring | lra ].

Ltac expand := rewrite ?exp_times, <- ?exp_Ropp, <- ?exp_plus; f_equal; simpl; same.

(* A derivative: auto_derive's side conditions, then its form against ours. *)
Ltac derivative := auto_derive; [ nonzero | ].
