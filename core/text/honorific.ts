/** Who stands for somebody who is not named. */
const placeholders = new Set(['元メンバー', 'ほかのメンバー', 'あなた'])

/** Letters at the end of a name that are looked at. */
const END = 24

/**
 * An honorific or an office, with signs and emoji behind it. Not 部 and 会 alone: 阿部 and 服部 are family names.
 * Not 長 alone: 信長 is a given name.
 */
const titled =
  /(?:さん|さま|様|くん|君|ちゃん|先生|先輩|監督|コーチ|教頭|教授|住職|[会班部課係社店組園校館区町市団隊]長|委員長|理事長|局長)[^\p{L}\p{N}]*$/u

/** What is in brackets at the end explains the name, as in 花（見本）. */
const explained = /[)）\]］】」』]$/u

/** さん, or nothing for a name that has an honorific already. */
export const honorific = (name: string) => {
  const end = name.slice(-END)
  return placeholders.has(name) || titled.test(end) || explained.test(end) ? '' : 'さん'
}

/** A name in a Japanese sentence. */
export const san = (name: string) => name + honorific(name)
