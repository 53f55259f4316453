import { describe, expect, it } from 'vitest';
import { normalised, readCode, writtenForms } from '../../src/console/scanner/code.ts';

const fnc1 = '\u001d';

describe('a GTIN', () => {
  it.each([
    ['96385074', '00000096385074'],
    ['036000291452', '00036000291452'],
    ['4006381333931', '04006381333931'],
    ['10012345678902', '10012345678902'],
  ])('of %s is compared as %s', (written, gtin) => {
    expect(readCode(written)).toEqual({ kind: 'gtin', gtin });
    expect(normalised(written)).toBe(gtin);
  });

  it('whose check digit is wrong is a code of the warehouse itself', () => {
    expect(readCode('4006381333932')).toEqual({ kind: 'plain', code: '4006381333932' });
  });

  it('is looked for in each form in which it may have been written down', () => {
    expect(writtenForms('00000096385074')).toEqual([
      '00000096385074',
      '0000096385074',
      '000096385074',
      '96385074',
    ]);
    expect(writtenForms('10012345678902')).toEqual(['10012345678902']);
  });
});

describe('an element string', () => {
  const whole = {
    kind: 'gtin',
    gtin: '04006381333931',
    lot: 'LOT7',
    expiry: '2027-12-31',
    quantity: 24,
  };

  it.each([
    ['with FNC1', `01040063813339311727123110LOT7${fnc1}3724`],
    ['with a symbology identifier', `]d201040063813339311727123110LOT7${fnc1}3724`],
    ['with FNC1 in front', `${fnc1}0104006381333931172712313724${fnc1}10LOT7`],
    ['as printed', '(01)04006381333931(17)271231(10)LOT7(37)24'],
    ['with a variable count', `01040063813339313024${fnc1}1727123110LOT7`],
  ])('%s is read whole', (_how, text) => {
    expect(readCode(text)).toEqual(whole);
  });

  it('without FNC1 is read where the last element alone varies in length', () => {
    expect(readCode('01040063813339311727123110LOT7')).toEqual({
      kind: 'gtin',
      gtin: '04006381333931',
      lot: 'LOT7',
      expiry: '2027-12-31',
    });
  });

  it('whose GTIN does not check was misread', () => {
    expect(readCode('0104006381333932')).toEqual({ kind: 'misread' });
  });

  it('that names no goods is of no use', () => {
    expect(readCode(`]C100123456789012345675`)).toEqual({ kind: 'misread' });
  });
});

it('what is no code of GS1 is taken as it stands', () => {
  expect(readCode('  A/B 12 ')).toEqual({ kind: 'plain', code: 'A/B 12' });
});
