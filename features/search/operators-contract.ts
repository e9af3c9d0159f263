/** What members write before a colon. The pages write the first name of each. */
export const operators = {
  from: ['from', 'sender', '差出人', '送信者', '投稿者', 'から'],
  in: ['in', 'channel', '場所', 'グループ', 'チャット'],
  has: ['has', '添付', 'あり'],
  before: ['before', '以前', 'より前'],
  after: ['after', '以降', 'より後'],
  on: ['on', '日付', '日'],
} as const
export type Operator = keyof typeof operators
const operatorOf = new Map<string, Operator>(
  Object.entries(operators).flatMap(([name, words]) =>
    words.map((word) => [word, name as Operator] as const),
  ),
)

/** Values of `has:`. */
export const attachments = {
  picture: ['picture', 'pictures', 'image', 'images', 'photo', 'photos', '写真', '画像'],
  file: ['file', 'files', 'attachment', 'ファイル', '書類'],
  link: ['link', 'links', 'url', 'リンク'],
  poll: ['poll', 'polls', 'アンケート', '投票'],
  voice: ['voice', '音声', 'ボイス'],
} as const
export type AttachmentKind = keyof typeof attachments
const attachmentOf = new Map<string, AttachmentKind>(
  Object.entries(attachments).flatMap(([kind, words]) =>
    words.map((word) => [word, kind as AttachmentKind] as const),
  ),
)
export const findAttachment = (value: string) => attachmentOf.get(value.toLowerCase())

const names = Object.values(operators).flat().join('|')
const part = new RegExp(
  String.raw`(?<minus>-)?(?:(?<name>${names}):\s*)?(?:["“”„«»](?<quoted>[^"“”„«»]*)["“”„«»]?|「(?<cornered>[^」]*)」?|(?<plain>\S+))`,
  'giu',
)

export interface Part {
  /** As it was typed, with its quotes and minus. */
  typed: string
  /** Absent for a word. */
  operator?: Operator
  /** Without quotes. */
  value: string
  isExcluded: boolean
  isQuoted: boolean
}

/** NFKC makes one form of full-width colons, quotes, hyphens and spaces. */
export const partsOf = (q: string): Part[] =>
  [...q.normalize('NFKC').matchAll(part)].map(({ 0: typed, groups }) => {
    const { minus, name, quoted, cornered, plain } = groups!
    // At the end of the query, an operator has no value yet.
    const unfinished = plain?.endsWith(':') ? operatorOf.get(plain.slice(0, -1).toLowerCase()) : undefined
    const operator = unfinished ?? (name && !minus ? operatorOf.get(name.toLowerCase()) : undefined)
    const value = unfinished ? '' : (quoted ?? cornered ?? plain ?? '').trim()
    return {
      typed,
      ...(operator && { operator }),
      value: operator ? value.replace(/[,、。]$/, '') : value,
      isExcluded: minus !== undefined,
      isQuoted: name === undefined && plain === undefined,
    }
  })
