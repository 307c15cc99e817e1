import { Confirm } from "../parts/confirm.tsx";

interface PayDialogProps {
  /** The price in words, such as "ε 0.5". */
  readonly price: string;
  /** Whether the price is a large part of what is left. */
  readonly isLarge?: boolean;
  /** Whether the answer is expected to say next to nothing. */
  readonly isUninformative?: boolean;
  /** Whether an answer to the question is there already. */
  readonly isAgain?: boolean;
  /** The expected errors in words; empty where nothing is known of them. */
  readonly expected?: readonly string[];
  readonly onPay: () => void;
  readonly onCancel: () => void;
}

/** Shows a price, and asks whether it shall be paid. */
export function PayDialog({
  price,
  isLarge = false,
  isUninformative = false,
  isAgain = false,
  expected = [],
  onPay,
  onCancel,
}: PayDialogProps) {
  const told = [
    ...(isUninformative ? ["the answer is expected to say next to nothing"] : []),
    ...(isLarge ? ["that is more than a tenth of what is left"] : []),
  ];
  return (
    <Confirm
      title={isAgain ? "Pay for a new answer?" : "Pay for this answer?"}
      action={`Pay ${price}`}
      onConfirm={onPay}
      onCancel={onCancel}
    >
      <p>
        It costs <strong>{price}</strong>
        {told.map((each) => `, and ${each}`).join("")}.
      </p>
      {expected.length === 0 ? null : <p>Expected: {expected.join("; ")}</p>}
      <p class="quiet">
        What is charged is never given back.{" "}
        {isAgain ? "The answer that is there costs nothing." : "The same question again is free."}
      </p>
    </Confirm>
  );
}
