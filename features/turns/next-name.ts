/** The name with its first number one higher: 6b after 5b, 3年1組 after 2年1組, 2027/28 after 2026/27. */
export function nextName(name: string) {
  const digits = /\p{Nd}+/u.exec(name)?.[0]
  if (!digits) return null
  const years = /^(?:19|20)\d\d[/／–-](?:\d\d)?\d\d/.exec(name.slice(name.indexOf(digits)).normalize('NFKC'))
  return name.replace(years ? /\p{Nd}+/gu : /\p{Nd}+/u, (number) => higher(number))
}

/** In the same digits, half-width or full-width, and with as many zeros before it. */
function higher(number: string) {
  const isWide = number !== number.normalize('NFKC')
  const plain = number.normalize('NFKC')
  const next = String(Number(plain) + 1).padStart(plain.length, '0')
  return isWide ? next.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)) : next
}
