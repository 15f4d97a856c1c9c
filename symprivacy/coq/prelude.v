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

(* The functions that Coq lacks, with the meaning that the certificates give them. *)
Definition atanh (x : R) : R := 1 / 2 * (ln (1 + x) + -1 * ln (1 + -1 * x)).
Definition asinh (x : R) : R := ln (x + sqrt (x ^ 2 + 1)).
Definition acosh (x : R) : R := ln (x + sqrt (x ^ 2 + -1)).

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

(* The mean value theorem where the function is only continuous at the ends. *)
Lemma mean_value (f df : R -> R) (a b : R) :
  a < b -> (forall z, a < z < b -> is_derive f z (df z)) -> (forall z, a <= z <= b -> continuous f z) ->
  exists c, a < c < b /\ f b - f a = df c * (b - a).
Proof.
  intros H D C.
  assert (d : forall c, a < c < b -> derivable_pt f c).
  { intros c K. exists (df c). apply is_derive_Reals. apply D. exact K. }
  assert (i : forall c, a < c < b -> derivable_pt id c) by (intros; apply derivable_pt_id).
  destruct (MVT f id a b d i H) as [c [P E]].
  - intros c K. apply continuity_pt_filterlim. apply C. exact K.
  - intros c K. apply derivable_continuous_pt. apply derivable_pt_id.
  - exists c. split; [exact P | ].
    replace (derive_pt id c (i c P)) with 1 in E by (symmetry; apply derive_pt_eq_0; apply derivable_pt_lim_id).
    replace (derive_pt f c (d c P)) with (df c) in E.
    + unfold id in E. lra.
    + symmetry. apply derive_pt_eq_0. apply is_derive_Reals. apply D. exact P.
Qed.

Lemma rise_inside (f df : R -> R) (a x : R) :
  a <= x -> (forall z, a < z < x -> is_derive f z (df z)) -> (forall z, a <= z <= x -> continuous f z) ->
  (forall z, a < z < x -> 0 <= df z) -> f a <= f x.
Proof.
  intros H D C S. destruct H as [H | H]; [ | subst; apply Rle_refl].
  destruct (mean_value f df a x H D C) as [c [K E]].
  assert (0 <= df c * (x - a)) by (apply Rmult_le_pos; [apply S; exact K | lra]). lra.
Qed.

Lemma rise_inside_strictly (f df : R -> R) (a x : R) :
  a < x -> (forall z, a < z < x -> is_derive f z (df z)) -> (forall z, a <= z <= x -> continuous f z) ->
  (forall z, a < z < x -> 0 < df z) -> f a < f x.
Proof.
  intros H D C S. destruct (mean_value f df a x H D C) as [c [K E]].
  assert (0 < df c * (x - a)) by (apply Rmult_lt_0_compat; [apply S; exact K | lra]). lra.
Qed.

Lemma fall_inside (f df : R -> R) (x b : R) :
  x <= b -> (forall z, x < z < b -> is_derive f z (- df z)) -> (forall z, x <= z <= b -> continuous f z) ->
  (forall z, x < z < b -> 0 <= df z) -> f b <= f x.
Proof.
  intros H D C S. destruct H as [H | H]; [ | subst; apply Rle_refl].
  destruct (mean_value f (fun z => - df z) x b H D C) as [c [K E]].
  assert (0 <= df c * (b - x)) by (apply Rmult_le_pos; [apply S; exact K | lra]). lra.
Qed.

Lemma fall_inside_strictly (f df : R -> R) (x b : R) :
  x < b -> (forall z, x < z < b -> is_derive f z (- df z)) -> (forall z, x <= z <= b -> continuous f z) ->
  (forall z, x < z < b -> 0 < df z) -> f b < f x.
Proof.
  intros H D C S. destruct (mean_value f (fun z => - df z) x b H D C) as [c [K E]].
  assert (0 < df c * (b - x)) by (apply Rmult_lt_0_compat; [apply S; exact K | lra]). lra.
Qed.

(* Around a point c: Taylor's theorem up to the fourth order, and a function that rises through zero. *)
Definition on_way (c x z : R) : Prop := (c <= z <= x) \/ (x <= z <= c).
Definition inside (c x z : R) : Prop := (c < z < x) \/ (x < z < c).

Lemma way_back (c x y z : R) : on_way c x y -> on_way c y z -> on_way c x z.
Proof. unfold on_way. lra. Qed.

Lemma inside_back (c x y z : R) : on_way c x y -> inside c y z -> inside c x z.
Proof. unfold on_way, inside. lra. Qed.

Lemma inside_way (c x z : R) : inside c x z -> on_way c x z.
Proof. unfold on_way, inside. lra. Qed.

Lemma along (f df : R -> R) (c x : R) :
  (forall z, inside c x z -> is_derive f z (df z)) -> (forall z, on_way c x z -> continuous f z) ->
  x = c \/ exists z, inside c x z /\ f x - f c = df z * (x - c).
Proof.
  unfold inside, on_way. intros D C. destruct (Rtotal_order c x) as [H | [H | H]]; [right | left; lra | right].
  - destruct (mean_value f df c x H) as [z [Z E]]; [intros; apply D; lra | intros; apply C; lra | ].
    exists z. split; [lra | exact E].
  - destruct (mean_value f df x c H) as [z [Z E]]; [intros; apply D; lra | intros; apply C; lra | ].
    exists z. split; [lra | lra].
Qed.

Lemma derived (f df : R -> R) (z : R) : is_derive f z (df z) -> continuous f z.
Proof. intros D. apply (@ex_derive_continuous R_AbsRing R_NormedModule f z). exists (df z). exact D. Qed.

Lemma taylor_1 (f d1 : R -> R) (c x : R) :
  (forall z, on_way c x z -> is_derive f z (d1 z)) -> (forall z, inside c x z -> 0 <= (z - c) * d1 z) -> f c <= f x.
Proof.
  intros D S. destruct (along f d1 c x) as [E | [z [Z E]]].
  - intros z Z. apply D. apply inside_way. exact Z.
  - intros z Z. apply (derived f d1). apply D. exact Z.
  - subst. apply Rle_refl.
  - specialize (S z Z). assert (0 <= d1 z * (x - c)); [ | lra]. unfold inside in Z.
    destruct Z as [Z | Z]; [assert (0 <= d1 z) by nra; apply Rmult_le_pos; lra | assert (d1 z <= 0) by nra; nra].
Qed.

Lemma rises_through (k dk : R -> R) (c x : R) :
  (forall z, inside c x z -> is_derive k z (dk z)) -> (forall z, on_way c x z -> continuous k z) -> k c = 0 ->
  (forall z, inside c x z -> 0 <= dk z) -> 0 <= (x - c) * k x.
Proof.
  intros D C Z S. destruct (along k dk c x D C) as [E | [z [I E]]]; [subst; lra | ].
  specialize (S z I). replace (k x) with (dk z * (x - c)) by lra.
  replace ((x - c) * (dk z * (x - c))) with (dk z * (x - c) ^ 2) by ring.
  apply Rmult_le_pos; [exact S | apply pow2_ge_0].
Qed.

Lemma crosses (k dk : R -> R) (c x : R) :
  (forall z, inside c x z -> is_derive k z (dk z)) -> continuous k c -> continuous k x -> k c = 0 ->
  (forall z, inside c x z -> 0 <= dk z) -> 0 <= (x - c) * k x.
Proof.
  intros D A B. apply (rises_through k dk); [exact D | ]. intros z Z.
  destruct (Req_dec z c) as [E | E]; [subst; exact A | ]. destruct (Req_dec z x) as [K | K]; [subst; exact B | ].
  apply (derived k dk). apply D. unfold on_way, inside in *. lra.
Qed.

Lemma taylor_2 (f d1 d2 : R -> R) (c x : R) :
  (forall z, on_way c x z -> is_derive f z (d1 z)) -> (forall z, on_way c x z -> is_derive d1 z (d2 z)) ->
  d1 c = 0 -> (forall z, inside c x z -> 0 <= d2 z) -> f c <= f x.
Proof.
  intros D1 D2 Z S. apply (taylor_1 f d1); [exact D1 | ]. intros y Y. apply inside_way in Y.
  apply (rises_through d1 d2); [ | | exact Z | ]; intros z K.
  - apply D2. apply inside_way in K. exact (way_back _ _ _ _ Y K).
  - apply (derived d1 d2). apply D2. exact (way_back _ _ _ _ Y K).
  - apply S. exact (inside_back _ _ _ _ Y K).
Qed.

Lemma taylor_3 (f d1 d2 d3 : R -> R) (c x : R) :
  (forall z, on_way c x z -> is_derive f z (d1 z)) -> (forall z, on_way c x z -> is_derive d1 z (d2 z)) ->
  (forall z, on_way c x z -> is_derive d2 z (d3 z)) ->
  d1 c = 0 -> 0 <= d2 c -> (forall z, inside c x z -> 0 <= (z - c) * d3 z) -> f c <= f x.
Proof.
  intros D1 D2 D3 Z P S. apply (taylor_2 f d1 d2); [exact D1 | exact D2 | exact Z | ]. intros y Y. apply inside_way in Y.
  apply Rle_trans with (d2 c); [exact P | ]. apply (taylor_1 d2 d3); intros z K.
  - apply D3. exact (way_back _ _ _ _ Y K).
  - apply S. exact (inside_back _ _ _ _ Y K).
Qed.

Lemma taylor_4 (f d1 d2 d3 d4 : R -> R) (c x : R) :
  (forall z, on_way c x z -> is_derive f z (d1 z)) -> (forall z, on_way c x z -> is_derive d1 z (d2 z)) ->
  (forall z, on_way c x z -> is_derive d2 z (d3 z)) -> (forall z, on_way c x z -> is_derive d3 z (d4 z)) ->
  d1 c = 0 -> 0 <= d2 c -> d3 c = 0 -> (forall z, inside c x z -> 0 <= d4 z) -> f c <= f x.
Proof.
  intros D1 D2 D3 D4 Z P Z3 S. apply (taylor_2 f d1 d2); [exact D1 | exact D2 | exact Z | ].
  intros y Y. apply inside_way in Y.
  apply Rle_trans with (d2 c); [exact P | ]. apply (taylor_2 d2 d3 d4); [ | | exact Z3 | ]; intros z K.
  - apply D3. exact (way_back _ _ _ _ Y K).
  - apply D4. exact (way_back _ _ _ _ Y K).
  - apply S. exact (inside_back _ _ _ _ Y K).
Qed.

(* A concave function on a segment is not below both its values at the ends. *)
Lemma concave (f df ddf : R -> R) (a b x : R) :
  a <= x <= b ->
  (forall z, a < z < b -> is_derive f z (df z)) -> (forall z, a < z < b -> is_derive df z (- ddf z)) ->
  continuous f a -> continuous f b -> (forall z, a < z < b -> 0 <= ddf z) ->
  f a <= f x \/ f b <= f x.
Proof.
  intros H D1 D2 A B S. destruct (Rle_or_lt (f a) (f x)) as [L | L]; [left; exact L | right].
  destruct (Rle_or_lt (f b) (f x)) as [M | M]; [exact M | exfalso].
  assert (a < x) by (destruct (Req_dec a x); [subst; lra | lra]).
  assert (x < b) by (destruct (Req_dec x b); [subst; lra | lra]).
  assert (C : forall z, a <= z <= b -> continuous f z).
  { intros z Z. destruct (Req_dec z a) as [E | E]; [subst; exact A | ].
    destruct (Req_dec z b) as [K | K]; [subst; exact B | ]. apply (derived f df). apply D1. lra. }
  destruct (mean_value f df a x) as [u [U E]]; [lra | intros; apply D1; lra | intros; apply C; lra | ].
  destruct (mean_value f df x b) as [v [V K]]; [lra | intros; apply D1; lra | intros; apply C; lra | ].
  destruct (mean_value df (fun z => - ddf z) u v) as [w [W T]]; [lra | intros; apply D2; lra | | ].
  - intros z Z. apply (derived df (fun z => - ddf z)). apply D2. lra.
  - assert (0 <= ddf w) by (apply S; lra). assert (df u < 0) by nra. assert (0 < df v) by nra. nra.
Qed.

Lemma continuous_sum (f g : R -> R) (x : R) : continuous f x -> continuous g x -> continuous (fun z => f z + g z) x.
Proof. apply (continuous_plus f g). Qed.

Lemma continuous_product (f g : R -> R) (x : R) : continuous f x -> continuous g x -> continuous (fun z => f z * g z) x.
Proof. apply (continuous_mult f g). Qed.

Lemma continuous_power (n : nat) (f : R -> R) (x : R) : continuous f x -> continuous (fun z => f z ^ n) x.
Proof.
  intros F. induction n as [|n IH]; [apply continuous_const | ]. exact (continuous_product f (fun z => f z ^ n) x F IH).
Qed.

Lemma continuous_inverse (f : R -> R) (x : R) : continuous f x -> f x <> 0 -> continuous (fun z => / f z) x.
Proof. intros F N. apply continuous_comp; [exact F | ]. apply continuous_Rinv. exact N. Qed.

Lemma continuous_of_exp (f : R -> R) (x : R) : continuous f x -> continuous (fun z => exp (f z)) x.
Proof. intros F. apply (continuous_comp f exp x F). apply continuous_exp. Qed.

Lemma continuous_of_root (f : R -> R) (x : R) : continuous f x -> continuous (fun z => sqrt (f z)) x.
Proof. intros F. apply (continuous_comp f sqrt x F). apply continuous_sqrt. Qed.

Lemma continuous_of_ln (f : R -> R) (x : R) : continuous f x -> 0 < f x -> continuous (fun z => ln (f z)) x.
Proof.
  intros F P. apply (continuous_comp f ln x F). apply (@ex_derive_continuous R_AbsRing R_NormedModule ln (f x)).
  exists (/ f x). apply is_derive_ln. exact P.
Qed.

Lemma of_squares (a b : R) : 0 <= a -> 0 < a ^ 2 - b ^ 2 -> 0 < a - b.
Proof. intros A H. destruct (Rle_or_lt b 0); nra. Qed.

Lemma of_squares_weak (a b : R) : 0 <= a -> 0 <= a ^ 2 - b ^ 2 -> 0 <= a - b.
Proof. intros A H. destruct (Rle_or_lt b a); [lra | nra]. Qed.

Lemma of_logs (a b : R) : 0 < a -> 0 < b -> 0 < ln a - ln b -> 0 < a - b.
Proof. intros A B H. assert (b < a) by (apply ln_lt_inv; lra). lra. Qed.

Lemma of_logs_weak (a b : R) : 0 < a -> 0 < b -> 0 <= ln a - ln b -> 0 <= a - b.
Proof.
  intros A B H. destruct (Rle_or_lt b a) as [K | K]; [lra | ].
  assert (ln a < ln b) by (apply ln_increasing; lra). lra.
Qed.

Lemma ln_order (a b : R) : 0 < b -> 0 < a - b -> 0 < ln a - ln b.
Proof. intros B H. assert (ln b < ln a) by (apply ln_increasing; lra). lra. Qed.

Lemma ln_order_weak (a b : R) : 0 < b -> 0 <= a - b -> 0 <= ln a - ln b.
Proof. intros B H. assert (ln b <= ln a) by (apply ln_le; lra). lra. Qed.

Lemma of_sinh (a b : R) :
  0 < 1 / 2 * (exp a + -1 * exp (-1 * a)) - 1 / 2 * (exp b + -1 * exp (-1 * b)) -> 0 < a - b.
Proof.
  intros H. destruct (Rle_or_lt a b) as [K | K]; [ | lra].
  assert (exp a <= exp b) by (destruct K as [K | K]; [apply Rlt_le, exp_increasing, K | rewrite K; lra]).
  assert (exp (-1 * b) <= exp (-1 * a))
    by (destruct K as [K | K]; [apply Rlt_le, exp_increasing; lra | rewrite K; lra]). lra.
Qed.

Lemma of_sinh_weak (a b : R) :
  0 <= 1 / 2 * (exp a + -1 * exp (-1 * a)) - 1 / 2 * (exp b + -1 * exp (-1 * b)) -> 0 <= a - b.
Proof.
  intros H. destruct (Rle_or_lt b a) as [K | K]; [lra | ].
  assert (exp a < exp b) by (apply exp_increasing, K).
  assert (exp (-1 * b) < exp (-1 * a)) by (apply exp_increasing; lra). lra.
Qed.

Lemma of_tanh (a b : R) :
  0 < (1 + -1 * (2 * / (exp (2 * a) + 1))) - (1 + -1 * (2 * / (exp (2 * b) + 1))) -> 0 < a - b.
Proof.
  intros H. destruct (Rle_or_lt a b) as [K | K]; [ | lra].
  assert (exp (2 * a) <= exp (2 * b))
    by (destruct K as [K | K]; [apply Rlt_le, exp_increasing; lra | rewrite K; lra]).
  assert (0 < exp (2 * a)) by apply exp_pos.
  assert (/ (exp (2 * b) + 1) <= / (exp (2 * a) + 1)) by (apply Rinv_le_contravar; lra). lra.
Qed.

Lemma of_tanh_weak (a b : R) :
  0 <= (1 + -1 * (2 * / (exp (2 * a) + 1))) - (1 + -1 * (2 * / (exp (2 * b) + 1))) -> 0 <= a - b.
Proof.
  intros H. destruct (Rle_or_lt b a) as [K | K]; [lra | ].
  assert (exp (2 * a) < exp (2 * b)) by (apply exp_increasing; lra).
  assert (0 < exp (2 * a)) by apply exp_pos.
  assert (/ (exp (2 * b) + 1) < / (exp (2 * a) + 1)) by (apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra | lra]).
  lra.
Qed.

Lemma cancel_factor (k u : R) : 0 < k -> 0 < k * u -> 0 < u.
Proof. intros K H. apply (Rmult_lt_reg_l k); lra. Qed.

Lemma cancel_factor_weak (k u : R) : 0 < k -> 0 <= k * u -> 0 <= u.
Proof. intros K H. apply (Rmult_le_reg_l k); lra. Qed.

(* A variable between an end point and a bound, by its place between them. *)
Lemma between (e v u : R) :
  (e <= v /\ v <= u) \/ (u <= v /\ v <= e) ->
  exists t, v = e + t * (u + -1 * e) /\ 0 <= t <= 1 /\ (v <> e -> 0 < t) /\ (v <> u -> t < 1).
Proof.
  intros H. destruct (Req_dec u e) as [E | E].
  - exists 0. assert (v = e) by lra. subst. repeat split; lra.
  - assert (D : u - e <> 0) by lra. exists ((v - e) / (u - e)).
    assert (V : v = e + (v - e) / (u - e) * (u + -1 * e)) by (field; exact D).
    set (t := (v - e) / (u - e)) in *.
    assert (T : v - e = t * (u - e)) by lra. assert (T' : v - u = (t - 1) * (u - e)) by lra.
    repeat split; [exact V | | | intros K | intros K]; destruct H as [H | H]; try nra;
      destruct (Rtotal_order t 0) as [L | [L | L]]; try nra; destruct (Rtotal_order t 1) as [M | [M | M]]; nra.
Qed.

(* Bounds of one function by bounds of its argument. *)
Lemma pow_above (n : nat) (c a v : R) : (0 < n)%nat -> 0 <= c -> c <= a -> v = c ^ n -> v <= a ^ n.
Proof. intros _ C H E. subst. apply pow_incr. lra. Qed.

Lemma pow_above_strictly (n : nat) (c a v : R) : (0 < n)%nat -> 0 <= c -> c < a -> v = c ^ n -> v < a ^ n.
Proof.
  intros N C H E. subst. induction n as [|n IH]; [lia | ]. destruct n as [|n]; [simpl; lra | ].
  assert (I : c ^ S n < a ^ S n) by (apply IH; lia). assert (J : 0 <= c ^ S n) by (apply pow_le; exact C).
  change (c ^ S (S n)) with (c * c ^ S n). change (a ^ S (S n)) with (a * a ^ S n). nra.
Qed.

Lemma pow_below (n : nat) (c a v : R) : (0 < n)%nat -> 0 <= a -> a <= c -> v = c ^ n -> a ^ n <= v.
Proof. intros _ C H E. subst. apply pow_incr. lra. Qed.

Lemma pow_below_strictly (n : nat) (c a v : R) : (0 < n)%nat -> 0 <= a -> a < c -> v = c ^ n -> a ^ n < v.
Proof. intros N C H E. subst. apply (pow_above_strictly n a); [exact N | exact C | exact H | reflexivity]. Qed.

Lemma pow_even (k : nat) (a : R) : 0 <= a ^ (2 * k).
Proof. rewrite pow_mult. apply pow_le. apply pow2_ge_0. Qed.

(* As auto_derive writes a square. *)
Lemma square_above (a : R) : a <> 0 -> 0 < a * (a * 1).
Proof. intros A. rewrite Rmult_1_r. apply Rsqr_pos_lt. exact A. Qed.

Lemma inv_pos (a : R) : 0 < a -> 0 < / a.
Proof. apply Rinv_0_lt_compat. Qed.

Lemma inv_neg (a : R) : a < 0 -> / a < 0.
Proof. apply Rinv_lt_0_compat. Qed.

Lemma inv_pos_near (a v : R) : 0 < a -> v * a <= 1 -> v <= / a.
Proof. intros A H. apply (Rmult_le_reg_r a); [exact A | ]. rewrite Rinv_l; lra. Qed.

Lemma inv_pos_near_strictly (a v : R) : 0 < a -> v * a < 1 -> v < / a.
Proof. intros A H. apply (Rmult_lt_reg_r a); [exact A | ]. rewrite Rinv_l; lra. Qed.

Lemma inv_pos_far (a v : R) : 0 < a -> 1 <= v * a -> / a <= v.
Proof. intros A H. apply (Rmult_le_reg_r a); [exact A | ]. rewrite Rinv_l; lra. Qed.

Lemma inv_pos_far_strictly (a v : R) : 0 < a -> 1 < v * a -> / a < v.
Proof. intros A H. apply (Rmult_lt_reg_r a); [exact A | ]. rewrite Rinv_l; lra. Qed.

Lemma inv_neg_near (a v : R) : a < 0 -> v * a <= 1 -> / a <= v.
Proof. intros A H. apply Ropp_le_cancel. rewrite <- Rinv_opp. apply inv_pos_near; lra. Qed.

Lemma inv_neg_near_strictly (a v : R) : a < 0 -> v * a < 1 -> / a < v.
Proof. intros A H. apply Ropp_lt_cancel. rewrite <- Rinv_opp. apply inv_pos_near_strictly; lra. Qed.

Lemma inv_neg_far (a v : R) : a < 0 -> 1 <= v * a -> v <= / a.
Proof. intros A H. apply Ropp_le_cancel. rewrite <- Rinv_opp. apply inv_pos_far; lra. Qed.

Lemma inv_neg_far_strictly (a v : R) : a < 0 -> 1 < v * a -> v < / a.
Proof. intros A H. apply Ropp_lt_cancel. rewrite <- Rinv_opp. apply inv_pos_far_strictly; lra. Qed.

Lemma sqrt_above (a r : R) : 0 <= r -> r * r <= a -> r <= sqrt a.
Proof. intros R0 H. rewrite <- (sqrt_square r R0). apply sqrt_le_1_alt. exact H. Qed.

Lemma sqrt_above_strictly (a r : R) : 0 <= r -> r * r < a -> r < sqrt a.
Proof. intros R0 H. rewrite <- (sqrt_square r R0). apply sqrt_lt_1_alt. split; [nra | exact H]. Qed.

Lemma sqrt_below (a r : R) : 0 <= r -> a <= r * r -> sqrt a <= r.
Proof. intros R0 H. rewrite <- (sqrt_square r R0). apply sqrt_le_1_alt. exact H. Qed.

Lemma sqrt_below_strictly (a r : R) : 0 < r -> a < r * r -> sqrt a < r.
Proof.
  intros R0 H. destruct (Rle_or_lt 0 a) as [A | A].
  - rewrite <- (sqrt_square r) by lra. apply sqrt_lt_1_alt. lra.
  - rewrite sqrt_neg_0 by lra. exact R0.
Qed.

Lemma exp_above (u : R) : 0 <= u -> 1 <= exp u.
Proof. intros H. rewrite <- exp_0. destruct H as [H | H]; [left; apply exp_increasing; exact H | subst; lra]. Qed.

Lemma exp_above_strictly (u : R) : 0 < u -> 1 < exp u.
Proof. intros H. rewrite <- exp_0. apply exp_increasing. exact H. Qed.

Lemma exp_below (u : R) : u <= 0 -> exp u <= 1.
Proof. intros H. rewrite <- exp_0. destruct H as [H | H]; [left; apply exp_increasing; exact H | subst; lra]. Qed.

Lemma exp_below_strictly (u : R) : u < 0 -> exp u < 1.
Proof. intros H. rewrite <- exp_0. apply exp_increasing. exact H. Qed.

Lemma cosh_above (u v : R) : v = - u -> 2 <= exp u + exp v.
Proof.
  intros E. subst. pose proof (exp_pos u) as P. rewrite exp_Ropp.
  assert (H : exp u * / exp u = 1) by (apply Rinv_r; lra).
  assert (0 < / exp u) by (apply Rinv_0_lt_compat; exact P).
  pose proof (pow2_ge_0 (exp u - / exp u)). pose proof (pow2_ge_0 (exp u + / exp u - 2)). nra.
Qed.

Lemma ln_above (u : R) : 1 <= u -> 0 <= ln u.
Proof. intros H. rewrite <- ln_1. apply ln_le; lra. Qed.

Lemma ln_above_strictly (u : R) : 1 < u -> 0 < ln u.
Proof. intros H. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma ln_below (u : R) : 0 < u -> u <= 1 -> ln u <= 0.
Proof. intros P H. rewrite <- ln_1. apply ln_le; lra. Qed.

Lemma ln_below_strictly (u : R) : 0 < u -> u < 1 -> ln u < 0.
Proof. intros P H. rewrite <- ln_1. apply ln_increasing; lra. Qed.

(* Expressions and calls in other words. *)
Lemma positive_as (a b : R) : a = b -> 0 < b -> 0 < a.
Proof. lra. Qed.

Lemma nonnegative_as (a b : R) : a = b -> 0 <= b -> 0 <= a.
Proof. lra. Qed.

Lemma ln_of (u r : R) : exp r = u -> ln u = r.
Proof. intros H. rewrite <- H. apply ln_exp. Qed.

Lemma sqrt_of (u r : R) : 0 <= r -> r * r = u -> sqrt u = r.
Proof. intros R0 H. rewrite <- H. apply sqrt_square. exact R0. Qed.

Lemma exp_half_ln (v : R) : 0 < v -> exp (1 / 2 * ln v) = sqrt v.
Proof.
  intros V. symmetry. apply sqrt_of; [left; apply exp_pos | ]. rewrite <- exp_plus.
  replace (1 / 2 * ln v + 1 / 2 * ln v) with (ln v) by field. apply exp_ln. exact V.
Qed.

Lemma not_zero_above (u : R) : 0 < u -> u <> 0.
Proof. lra. Qed.

Lemma not_zero_below (u : R) : 0 < - u -> u <> 0.
Proof. lra. Qed.

(* Limits at infinity, and what falls towards one. *)
Lemma limit_of_product (f g : R -> R) (x lf lg l : Rbar) :
  is_lim f x lf -> is_lim g x lg -> is_Rbar_mult lf lg l -> is_lim (fun y => f y * g y) x l.
Proof.
  intros F G H. rewrite <- (is_Rbar_mult_unique _ _ _ H). apply is_lim_mult; [exact F | exact G | ].
  exact (Rbar_mult_correct' _ _ _ H).
Qed.

Lemma limit_of_power_at (n : nat) (f : R -> R) (x : Rbar) (a : R) :
  is_lim f x a -> is_lim (fun y => f y ^ n) x (a ^ n).
Proof.
  intros F. induction n as [|n IH]; [apply is_lim_const | ].
  exact (is_lim_mult f (fun y => f y ^ n) x a (a ^ n) F IH I).
Qed.

Lemma limit_of_power (n : nat) (f : R -> R) (x : Rbar) :
  (0 < n)%nat -> is_lim f x p_infty -> is_lim (fun y => f y ^ n) x p_infty.
Proof.
  intros N F. induction n as [|n IH]; [lia | ]. destruct n as [|n].
  - apply is_lim_ext with f; [intros y; simpl; ring | exact F].
  - apply (limit_of_product f (fun y => f y ^ S n) x p_infty p_infty); [exact F | apply IH; lia | ].
    apply is_Rbar_mult_p_infty_pos. exact I.
Qed.

Lemma limit_of_exp_at (f : R -> R) (x : Rbar) (a : R) : is_lim f x a -> is_lim (fun y => exp (f y)) x (exp a).
Proof. intros F. apply (is_lim_comp_continuous f exp x a F). apply continuous_exp. Qed.

Lemma limit_of_exp (f : R -> R) (x : Rbar) : is_lim f x p_infty -> is_lim (fun y => exp (f y)) x p_infty.
Proof. intros F. exact (filterlim_comp _ _ _ f exp _ _ _ F is_lim_exp_p). Qed.

Lemma limit_of_exp_down (f : R -> R) (x : Rbar) : is_lim f x m_infty -> is_lim (fun y => exp (f y)) x 0.
Proof. intros F. exact (filterlim_comp _ _ _ f exp _ _ _ F is_lim_exp_m). Qed.

Lemma limit_of_ln (f : R -> R) (x : Rbar) : is_lim f x p_infty -> is_lim (fun y => ln (f y)) x p_infty.
Proof. intros F. exact (filterlim_comp _ _ _ f ln _ _ _ F is_lim_ln_p). Qed.

Lemma limit_of_ln_at (f : R -> R) (x : Rbar) (a : R) : is_lim f x a -> 0 < a -> is_lim (fun y => ln (f y)) x (ln a).
Proof.
  intros F A. apply (is_lim_comp_continuous f ln x a F). apply (@ex_derive_continuous R_AbsRing R_NormedModule ln a).
  exists (/ a). apply is_derive_ln. exact A.
Qed.

Lemma limit_of_root (f : R -> R) (x : Rbar) (a : R) : is_lim f x a -> is_lim (fun y => sqrt (f y)) x (sqrt a).
Proof. intros F. apply (is_lim_comp_continuous f sqrt x a F). apply continuous_sqrt. Qed.

Lemma falls_to (f df : R -> R) (x : R) (l : Rbar) :
  (forall z, x <= z -> is_derive f z (- df z)) -> (forall z, x <= z -> 0 <= df z) ->
  is_lim f p_infty l -> Rbar_le 0 l -> 0 <= f x.
Proof.
  intros D S L P. assert (B : Rbar_le l (f x)).
  { apply (is_lim_le_loc f (fun _ => f x) p_infty); [ | exact L | apply is_lim_const].
    exists x. intros z Z. apply (fall f df x z); intros; [lra | apply D; lra | apply S; lra]. }
  exact (Rbar_le_trans 0 l (f x) P B).
Qed.

Lemma falls_to_strictly (f df : R -> R) (x : R) (l : Rbar) :
  (forall z, x <= z -> is_derive f z (- df z)) -> (forall z, x <= z -> 0 < df z) ->
  is_lim f p_infty l -> Rbar_le 0 l -> 0 < f x.
Proof.
  intros D S L P. apply Rle_lt_trans with (f (x + 1)).
  - apply (falls_to f df (x + 1) l); [ | | exact L | exact P]; intros z Z; [apply D; lra | left; apply S; lra].
  - apply (fall_strictly f df x (x + 1)); intros; [lra | apply D; lra | apply S; lra].
Qed.

Lemma rises_from (f df : R -> R) (x : R) (l : Rbar) :
  (forall z, z <= x -> is_derive f z (df z)) -> (forall z, z <= x -> 0 <= df z) ->
  is_lim f m_infty l -> Rbar_le 0 l -> 0 <= f x.
Proof.
  intros D S L P. assert (B : Rbar_le l (f x)).
  { apply (is_lim_le_loc f (fun _ => f x) m_infty); [ | exact L | apply is_lim_const].
    exists x. intros z Z. apply (rise f df z x); intros; [lra | apply D; lra | apply S; lra]. }
  exact (Rbar_le_trans 0 l (f x) P B).
Qed.

Lemma rises_from_strictly (f df : R -> R) (x : R) (l : Rbar) :
  (forall z, z <= x -> is_derive f z (df z)) -> (forall z, z <= x -> 0 < df z) ->
  is_lim f m_infty l -> Rbar_le 0 l -> 0 < f x.
Proof.
  intros D S L P. apply Rle_lt_trans with (f (x - 1)).
  - apply (rises_from f df (x - 1) l); [ | | exact L | exact P]; intros z Z; [apply D; lra | left; apply S; lra].
  - apply (rise_strictly f df (x - 1) x); intros; [lra | apply D; lra | apply S; lra].
Qed.

(* Signs by structure where an end point is left out, by interval arithmetic elsewhere. *)
Ltac signs :=
  solve [ assumption | lra | signs_of_parts | interval | apply Rlt_le; signs_of_parts ]
with signs_of_parts :=
  match goal with
  | |- 0 < exp _ => apply exp_pos
  | |- 0 <= exp _ => apply Rlt_le; apply exp_pos
  | |- 0 < PI => apply PI_RGT_0
  | |- 0 < ?a * (?a * 1) => apply square_above; first [ assumption | lra ]
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; signs
  | |- 0 <= _ * _ => apply Rmult_le_pos; signs
  | |- 0 < / _ => apply Rinv_0_lt_compat; signs
  | |- 0 <= / _ => apply Rlt_le; apply Rinv_0_lt_compat; signs
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; signs
  | |- 0 < _ ^ 2 => apply pow2_gt_0; first [ assumption | lra ]
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
  [ exact I | assumption | known_nonzero | nonzero_parts | apply not_zero_above; signs | apply not_zero_below; signs
  | lra | signs | let Z := fresh in intro Z; nra ]
with known_nonzero :=
  match goal with
  | H : _ <> 0 |- _ <> 0 => solve [ let Z := fresh in intro Z; apply H; clear - Z; lra ]
  | H : 0 < _ |- _ <> 0 => solve [ let Z := fresh in intro Z; clear - H Z; lra ]
  end
with nonzero_parts :=
  match goal with
  | |- _ * _ <> 0 => apply Rmult_integral_contrapositive_currified; nonzero
  | |- _ ^ _ <> 0 => apply pow_nonzero; nonzero
  | |- / _ <> 0 => apply Rinv_neq_0_compat; nonzero
  end.

(* Continuity by structure, where a derivative does not exist: at the end of a root. *)
Ltac continuity_here :=
  lazymatch goal with
  | |- continuous (fun z => z) _ => apply continuous_id
  | |- continuous (fun _ => ?c) _ => apply continuous_const
  | |- continuous (fun z => @?f z + @?g z) _ => apply (continuous_sum f g); continuity_here
  | |- continuous (fun z => @?f z * @?g z) _ => apply (continuous_product f g); continuity_here
  | |- continuous (fun z => @?f z ^ ?n) _ => apply (continuous_power n f); continuity_here
  | |- continuous (fun z => / @?f z) _ => apply (continuous_inverse f); [continuity_here | cbv beta; nonzero]
  | |- continuous (fun z => exp (@?f z)) _ => apply (continuous_of_exp f); continuity_here
  | |- continuous (fun z => sqrt (@?f z)) _ => apply (continuous_of_root f); continuity_here
  | |- continuous (fun z => ln (@?f z)) _ => apply (continuous_of_ln f); [continuity_here | cbv beta; signs]
  end.

(* A product or quotient of powers whose signs are known. *)
Ltac factors := first [ assumption | left; assumption | parts_of_product | signs ]
with parts_of_product :=
  lazymatch goal with
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; factors
  | |- 0 <= _ * _ => apply Rmult_le_pos; factors
  | |- 0 < / _ => apply Rinv_0_lt_compat; factors
  | |- 0 <= / _ => left; apply Rinv_0_lt_compat; factors
  | |- 0 < _ ^ _ => apply pow_lt; factors
  | |- 0 <= _ ^ _ => apply pow_le; factors
  end.

(* exp undoes ln where that has a value. *)
Ltac undone :=
  repeat match goal with |- context [exp (ln ?a)] => rewrite (exp_ln a) by first [ assumption | lra ] end.

Ltac same :=
  first [ reflexivity | field; nonzero | simpl; field; nonzero | ring | lra | progress undone; field; nonzero ].

Ltac expand := rewrite ?exp_times, <- ?exp_Ropp, <- ?exp_plus; f_equal; simpl; same.

(* A derivative: auto_derive's side conditions, then its form against ours. *)
Ltac derivative := auto_derive; [ nonzero | ].

(* The cases of Rmin, Rmax, Rabs and if: which one it is, as one of the listed ones. *)
Ltac decide_all :=
  repeat match goal with
  | |- context [Rle_dec ?a ?b] =>
      lazymatch constr:((a, b)) with context [Rle_dec _ _] => fail | context [Rlt_dec _ _] => fail
      | _ => destruct (Rle_dec a b) end
  | |- context [Rlt_dec ?a ?b] =>
      lazymatch constr:((a, b)) with context [Rle_dec _ _] => fail | context [Rlt_dec _ _] => fail
      | _ => destruct (Rlt_dec a b) end
  | |- context [Rcase_abs ?a] => destruct (Rcase_abs a)
  end;
  repeat match goal with
  | H : ~ _ <= _ |- _ => apply Rnot_le_lt in H
  | H : ~ _ < _ |- _ => apply Rnot_lt_le in H
  end.

Ltac pick := first [ solve [ repeat split; lra ] | left; solve [ repeat split; lra ] | right; pick ].

Ltac one_case := unfold Rmin, Rmax, Rabs; decide_all; pick.

(* A relation between numbers that does not hold. *)
Ltac apart := first [ lra | interval | interval with (i_prec 100) | interval with (i_prec 400) | right; same | right; symmetry; same ].

Ltac fails :=
  lazymatch goal with
  | |- ~ _ < _ => apply Rle_not_lt; apart
  | |- ~ _ > _ => apply Rle_not_lt; apart
  | |- ~ _ <= _ => apply Rlt_not_le; apart
  | |- ~ _ >= _ => apply Rlt_not_ge; apart
  | |- ~ _ = _ => first [ apply Rlt_not_eq; solve [ apart ] | apply Rgt_not_eq; unfold Rgt; solve [ apart ] ]
  end.
