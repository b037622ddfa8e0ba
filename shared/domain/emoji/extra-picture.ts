/** The picture of `:zulip:`, drawn for this project: a speech bubble of 64 by 64 pixels, as PNG. */
export const extraPicture = (): Uint8Array => Buffer.from(BASE64.join(''), 'base64');

const BASE64 = [
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAYAAACqaXHeAAAB8UlEQVR42u2bsUrEQBBA72usr7C0SGlnPiG1P6ClHyAEuR+QK2wE',
  'sdLCIj8g2Hg2V6SRAxtjsNBrHHcOhXCEXHayyU52ZmAgHMtl5u3O7GZ3djJRUWkte6fnkdHUaGa0MApMtPizCW2L+nA8MZozcniX',
  'oq2JC8enRp9G5Pi2ou1TqvMxs2HeJTxiivMQmMY2w74IEEDRKhxGHvM7c0KbbA+Ba9IEIBcAIG9a5IAQjeoApIIApHUAMkEAsjoA',
  '5Knv5PoeHhZLeH0voW/Bd+C78J1dpsQ6ANZ/dDy/HcTpJhhoA8X2zgBuHp+Bi6AtgwLg5DwVAhkADjmuYhMOZAA+Y75NTugVAGZe',
  '7tJ2diABwOmHu6CNvQHgPPxtw4AEYCziFcDP+hPWy7uN4vNQ7VgAQCPLq0P4uDzYKD7jb323YwEAe6dqbNXoas+5bscGAPbMtrH/',
  'Wu011+0UgIaAJkGdBlkBCHohJH4pLP5jSPznsPgNEd0S001R3RbXg5FAjsbcAqCsFsuvbzi6mHs7IPUK4GX1BvtnM68nxN4A4PD1',
  '7bw3AJRsHQyArklrtAAw2VGnqtED8J3pbQEULgFwyPS2JTKZKwBcMr1tkZSTMjlOmd62TE52oaT4UlktltZyeb0woVdm9NKUXpvT',
  'i5N6dVZFmPwCYqbJYmevAcUAAAAASUVORK5CYII=',
];
