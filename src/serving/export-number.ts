// float32 numbers as short text. Printing them as JavaScript does would write 0.10000000149011612 for the float32
// nearest to 0.1: twice the bytes, and none of the digits after the ninth says anything.

const MIN_DIGITS = 6; // any decimal of up to 6 digits survives the way to float32 and back (FLT_DIG)
const MAX_DIGITS = 9; // 9 tell any two float32 apart (FLT_DECIMAL_DIG)
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`)); // exact up to 1e22

/** The text with the fewest digits, 6 to 9 before zeros are dropped, that reads back to the same float32. */
export function float32Text(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const size = Math.abs(value);
  if (size < 1e-12 || size >= 1e5) return float32TextByTrial(value); // outside, POWERS would not reach
  // Two exact numbers, one division: the quotient is the double nearest to the decimal, so it prints as that decimal.
  const fewest = MIN_DIGITS - 1 - Math.floor(Math.log10(size)); // digits behind the point
  for (let decimals = fewest; decimals <= fewest + MAX_DIGITS - MIN_DIGITS; decimals++) {
    const rounded = Math.round(value * POWERS[decimals]) / POWERS[decimals];
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return float32TextByTrial(value);
}

/** The plain version: right for any float32, and half as fast. */
export function float32TextByTrial(value: number): string {
  for (let digits = MIN_DIGITS; digits < MAX_DIGITS; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(Number(value.toPrecision(MAX_DIGITS)));
}
