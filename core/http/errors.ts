import type { FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import type { Localized } from '#core/contract.ts'
import { isDiskFull, isRetryable, isUnavailable } from '#core/database/errors.ts'
import { validationMessage } from '#core/i18n.ts'

/** Refuses a request. The answer has `{ message }`, and `{ errors }` where the error names fields. */
export class HttpError extends Error {
  readonly status: number
  readonly words: Localized
  readonly fields: Readonly<Record<string, readonly Localized[]>> | undefined
  /** Headers of the answer, such as Retry-After. */
  readonly headers: Readonly<Record<string, string>>
  constructor(
    status: number,
    words: Localized,
    fields?: Record<string, readonly Localized[]>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(words.en)
    this.status = status
    this.words = words
    this.fields = fields
    this.headers = headers
  }
}

/** A field is wrong: 422, with the sentence for it. */
export const fieldError = (field: string, words: Localized) => new HttpError(422, words, { [field]: [words] })

const same = (sentence: string): Localized => ({ en: sentence, ja: sentence })

/** Errors with fixed sentences. Clients compare the first two by their text. */
export const errors = {
  unauthenticated: () => new HttpError(401, same('Unauthenticated.')),
  mismatch: () => new HttpError(419, same('CSRF token mismatch.')),
  adminsOnly: () =>
    new HttpError(403, { en: 'Only admins may do this.', ja: 'この操作ができるのは、管理者だけです。' }),
  notFound: () => new HttpError(404, { en: 'There is nothing here.', ja: '見つかりませんでした。' }),
  wrongMethod: (methods: readonly string[]) =>
    new HttpError(405, {
      en: `This address takes ${methods.join(', ')}.`,
      ja: `このアドレスで使えるのは${methods.join('、')}です。`,
    }),
  closing: () =>
    new HttpError(503, {
      en: 'The server is restarting. Try again in a moment.',
      ja: 'サーバーを再起動しています。しばらくしてからもう一度お試しください。',
    }),
  away: () =>
    new HttpError(503, {
      en: 'The server cannot reach what it keeps just now. Please try again in a moment.',
      ja: '一時的にデータにアクセスできません。しばらくしてからもう一度お試しください。',
    }),
  notStored: () =>
    new HttpError(503, {
      en: 'Pictures cannot be stored just now. Try again in a moment.',
      ja: '今は画像を保存できません。しばらくしてからもう一度お試しください。',
    }),
  notShown: () =>
    new HttpError(503, {
      en: 'This picture cannot be shown just now. Try again in a moment.',
      ja: '今はこの画像を表示できません。しばらくしてからもう一度お試しください。',
    }),
  diskFull: () =>
    new HttpError(507, {
      en: 'The disk is full, so nothing was saved.',
      ja: 'ディスクの空きがないため、保存できませんでした。',
    }),
}

/**
 * Makes an HttpError of an error of Fastify, its plugins, the disk or the database. Returns null for other
 * errors. `bodyLimit` is the largest body that the route takes, in bytes.
 */
export function toHttpError(error: unknown, bodyLimit = 0): HttpError | null {
  if (error instanceof HttpError) return error
  if (isDiskFull(error)) return errors.diskFull()
  if (isUnavailable(error) || isRetryable(error)) return errors.away()
  const { code = '', statusCode } = error as { code?: string; statusCode?: number }
  if (code in known) return known[code]!(bodyLimit)
  if (statusCode === 403) return errors.notFound() // a path that leaves the folder of files
  if (statusCode === 416)
    return new HttpError(416, { en: 'The file has no such part.', ja: 'ファイルにその範囲はありません。' })
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? badBody() : null
}

/**
 * The client has disconnected while its body was arriving: it reads no answer, and the server made no
 * mistake.
 */
export const isAborted = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete

/** A body that breaks off, or is not what its type says. */
export const badBody = () =>
  fieldError('body', { en: 'The body could not be read.', ja: '本文を読み取れませんでした。' })
const large = (limit: number) => {
  const size = limit < 2 ** 20 ? `${limit / 2 ** 10} kB` : `${limit / 2 ** 20} MB`
  return new HttpError(413, {
    en: `The body is larger than ${size}.`,
    ja: `本文が${size.replace(' ', '')}を超えています。`,
  })
}
const manyParts = () =>
  new HttpError(413, {
    en: 'The form has too many parts (at most 128).',
    ja: 'フォームの項目が多すぎます（128個まで）。',
  })
/** A body of a type that the endpoint does not take. */
const wrongMediaType = () =>
  new HttpError(415, {
    en: 'This call does not take a body of that type.',
    ja: 'この操作では、その形式の本文は使えません。',
  })

export const wrongBodyType = () =>
  new HttpError(415, { en: 'This call takes a JSON body.', ja: 'この操作の本文はJSONにしてください。' })

export const notAnObject = () =>
  fieldError('body', {
    en: 'The body must be a JSON object.',
    ja: '本文はJSONオブジェクトにしてください。',
  })

/** The number of issues that an answer names. */
const MOST_ISSUES = 20

/** The first issues that Valibot found in an input, by the field at the top of their path. */
export function invalidInput(issues: readonly v.BaseIssue<unknown>[]) {
  const named = issues.slice(0, MOST_ISSUES).map((issue) => {
    const field = String(issue.path?.[0]?.key ?? 'body')
    const isMissing = issue.received === 'undefined' || issue.received === 'null'
    return { field, words: validationMessage(isMissing ? 'required' : issue.message, field) }
  })
  const fields = Object.groupBy(named, ({ field }) => field)
  const messages = Object.entries(fields).map(([field, list]) => [field, list!.map(({ words }) => words)])
  return new HttpError(422, named[0]!.words, Object.fromEntries(messages))
}

const known: Record<string, (bodyLimit: number) => HttpError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: large,
  FST_PARTS_LIMIT: manyParts,
  FST_FILES_LIMIT: manyParts,
  FST_FIELDS_LIMIT: manyParts,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: wrongMediaType,
  FST_ERR_CTP_INVALID_TYPE: wrongMediaType,
  FST_INVALID_MULTIPART_CONTENT_TYPE: wrongMediaType,
  FST_ERR_BAD_URL: errors.notFound,
  FST_ERR_NOT_FOUND: errors.notFound,
}
