import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { popupPlace } from '../../web/src/parts/popup-place.ts';

const WINDOW = { width: 800, height: 600 };
const fieldAt = (left: number, top: number, width = 100) => ({ left, top, right: left + width, bottom: top + 36 });

describe('popupPlace', () => {
  it('leaves a popup flush with its field where there is room', () => {
    expect(popupPlace(fieldAt(50, 10), { left: 50, right: 370 }, WINDOW)).toEqual({
      shift: 0,
      isAbove: false,
      maxHeight: 600 - 46 - 12,
    });
  });

  it('moves it left from the right edge, and never beyond the left one', () => {
    expect(popupPlace(fieldAt(690, 10), { left: 690, right: 1010 }, WINDOW).shift).toBe(-218);
    expect(popupPlace(fieldAt(20, 10), { left: 20, right: 900 }, WINDOW).shift).toBe(-12);
  });

  it('puts it above a field at the bottom where there is more room', () => {
    expect(popupPlace(fieldAt(50, 540), { left: 50, right: 370 }, WINDOW)).toMatchObject({
      isAbove: true,
      maxHeight: 528,
    });
  });

  it('keeps whatever fits into the window within it', () => {
    const box = fc.record({ left: fc.integer({ min: -50, max: 900 }), width: fc.integer({ min: 1, max: 780 }) });
    fc.assert(
      fc.property(box, fc.integer({ min: 0, max: 560 }), ({ left, width }, top) => {
        const { shift, maxHeight } = popupPlace(fieldAt(left, top), { left, right: left + width }, WINDOW);
        expect(left + shift).toBeGreaterThanOrEqual(8);
        expect(left + shift + width).toBeLessThanOrEqual(792);
        expect(maxHeight).toBeLessThan(600);
      }),
    );
  });
});
