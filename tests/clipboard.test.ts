import { expect, test } from 'vitest'
import { pastedFiles } from '#web/clipboard.ts'

const picture = new File(['x'], 'picture.png', { type: 'image/png' })
const filesOf = (types: string[], text = '') =>
  pastedFiles({
    files: [picture] as unknown as FileList,
    types,
    getData: (type) => (type === 'text/plain' ? text : '<p>'),
  })

test('a copied picture is pasted, although office programs put blank text beside it', () => {
  expect(filesOf(['Files'])).toEqual([picture])
  expect(filesOf(['text/html', 'Files'])).toEqual([picture])
  for (const blank of ['', ' ', '\r\n', '\u00a0\n', '\u200b'])
    expect(filesOf(['text/plain', 'text/html', 'text/rtf', 'Files'], blank)).toEqual([picture])
})

test('a copied text is pasted without the picture of itself', () =>
  expect(filesOf(['text/plain', 'text/html', 'text/rtf', 'Files'], 'Hello')).toEqual([]))

test('a picture with its address as plain text is pasted', () =>
  expect(filesOf(['text/plain', 'Files'], 'https://a.example/x.png')).toEqual([picture]))
