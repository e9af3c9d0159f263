import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { linkify } from '#web/links.tsx'

/**
 * Returns the links that `linkify` makes: the text of each link, and its URL if the URL
 * differs from the text.
 */
const linksIn = (text: string) =>
  [...renderToStaticMarkup(linkify(text)).matchAll(/href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, said]) =>
    href === said ? said : `${said} → ${href}`,
  )

test.each([
  ['https://ja.wikipedia.org/wiki/縁側', ['https://ja.wikipedia.org/wiki/縁側']],
  ['「https://ja.wikipedia.org/wiki/縁側」を見て', ['https://ja.wikipedia.org/wiki/縁側']],
  ['（https://ja.wikipedia.org/wiki/縁側）', ['https://ja.wikipedia.org/wiki/縁側']],
  ['https://ja.wikipedia.org/wiki/縁側。次', ['https://ja.wikipedia.org/wiki/縁側']],
  ['https://a.example/、https://b.example/x！', ['https://a.example/', 'https://b.example/x']],
  [
    'https://ja.wikipedia.org/wiki/スティーブ・ジョブズ',
    ['https://ja.wikipedia.org/wiki/スティーブ・ジョブズ'],
  ],
  ['https://例え.example/道', ['https://例え.example/道']],
  ['https://fish.exampleを見て', ['https://fish.example']],
  ['https://de.wikipedia.org/wiki/Straße, dann', ['https://de.wikipedia.org/wiki/Straße']],
  ['https://en.wikipedia.org/wiki/Go_(game)).', ['https://en.wikipedia.org/wiki/Go_(game)']],
  ['see (https://a.example/b?c=d&e#f).', ['https://a.example/b?c=d&amp;e#f']],
  ['http://localhost:3000/x and http://127.0.0.1:8/', ['http://localhost:3000/x', 'http://127.0.0.1:8/']],
  [
    'www.example.com/a, www.fish.example。',
    ['www.example.com/a → https://www.example.com/a', 'www.fish.example → https://www.fish.example'],
  ],
  ['write to ann.b+c@fish.example.', ['ann.b+c@fish.example → mailto:ann.b+c@fish.example']],
  ['メールはann@fish.exampleへ', ['ann@fish.example → mailto:ann@fish.example']],
  [`http://a/${'.'.repeat(5000)}x${')]'.repeat(2000)}`, [`http://a/${'.'.repeat(5000)}x`]],
  ['https://a.example/photo\u202egnp.exe', ['https://a.example/photo']],
  ['https://a.example/x\u200b, https://b.example/\u{e0061}y', ['https://a.example/x', 'https://b.example/']],
  ['https://pаypal.example/x?a', ['https://xn--pypal-4ve.example/x?a → https://pаypal.example/x?a']],
  ['www.аррӏе.example:8080/', ['www.xn--80ak6aa92e.example:8080/ → https://www.аррӏе.example:8080/']],
  ['https://президент.example/', ['https://xn--d1abbgf6aiiy.example/ → https://президент.example/']],
  ['https://縁側カフェー.example/', ['https://縁側カフェー.example/']],
  ['https://bücher.example/', ['https://bücher.example/']],
  ['https://google.comノlogin.a.example/', [expect.stringMatching(/^https:\/\/google\.xn--/)]],
  ['https://pɑypal.example/', [expect.stringMatching(/^https:\/\/xn--/)]],
  ['https://user:pass@a.example/x, https://bank.example@a.example', []],
  ['http://bank.example:80@www.a.example/?x=y@z.example と https://b.example/@x', ['https://b.example/@x']],
  [`https://${'長'.repeat(254)}.example`, []],
  ['wwww.example.com, a@b, x@y?subject=z, https://, javascript:alert(1), "www."', []],
])('the links of %s', (text, links) => expect(linksIn(text)).toEqual(links))

test('keeps every letter of the text', () => {
  const text = 'a https://b.example/(縁側)。 www.c.example! d@e.example」 <b> https://'
  const shown = renderToStaticMarkup(linkify(text)).replace(/<[^>]*>/g, '')
  expect(shown.replaceAll('&lt;', '<').replaceAll('&gt;', '>')).toBe(text)
})
