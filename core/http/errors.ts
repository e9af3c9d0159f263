import type { FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import type { Sentence } from '#core/contract.ts'
import { isDiskFull, isRetryable, isUnavailable } from '#core/database/errors.ts'
import { validationMessage } from '#core/text/i18n.ts'

/**
 * An error that is sent as the response: `{ message }`, and also `{ errors }` if fields of the input are
 * wrong.
 */
export class HttpError extends Error {
  readonly status: number
  readonly messages: Sentence
  readonly fields: Readonly<Record<string, readonly Sentence[]>> | undefined
  /** Further headers of the response, such as Retry-After. */
  readonly headers: Readonly<Record<string, string>>
  constructor(
    status: number,
    messages: Sentence,
    fields?: Record<string, readonly Sentence[]>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(messages.en)
    this.status = status
    this.messages = messages
    this.fields = fields
    this.headers = headers
  }
}

/** 403 until somebody has decided, who knows of it: clients need not show it as an error. Has `waits`. */
export class WaitingError extends HttpError {
  constructor(messages: Sentence) {
    super(403, messages)
  }
}

export const fieldError = (field: string, message: Sentence) =>
  new HttpError(422, message, { [field]: [message] })

/** The number of seconds after which a client may try again while the database does not answer. */
const RETRY_AFTER = 5

const untranslated = (sentence: string): Sentence => ({ en: sentence, ja: sentence })

/**
 * Functions that create errors with fixed sentences. The sentences of `unauthenticated` and `mismatch` are
 * not translated, because clients compare them.
 */
export const httpErrors = {
  unauthenticated: () => new HttpError(401, untranslated('Unauthenticated.')),
  mismatch: () => new HttpError(419, untranslated('CSRF token mismatch.')),
  adminsOnly: () =>
    new HttpError(403, { en: 'Only admins may do this.', ja: 'この操作ができるのは、管理者だけです。' }),
  moderatorsOnly: () =>
    new HttpError(403, {
      en: 'Only moderators and admins may do this.',
      ja: 'この操作ができるのは、モデレーターと管理者だけです。',
    }),
  secondStepNeeded: () =>
    new HttpError(403, {
      en: 'Admins and moderators of this community need a second step for the log-in. Set it up on the account page, or log in with a passkey.',
      ja: 'このコミュニティーの管理者とモデレーターには、ログインの2段階認証が必要です。先に「アカウント」ページで設定してください。',
    }),
  confirmationNeeded: () =>
    new HttpError(423, {
      en: 'Please confirm first that it is you.',
      ja: '先に、本人確認をしてください。',
    }),
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
  unavailable: () =>
    new HttpError(
      503,
      {
        en: 'The server cannot reach what it keeps just now. Please try again in a moment.',
        ja: '一時的にデータにアクセスできません。しばらくしてからもう一度お試しください。',
      },
      undefined,
      { 'retry-after': String(RETRY_AFTER) },
    ),
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
  noRoom: () =>
    new HttpError(507, {
      en: 'There is no room for pictures and files at the moment, only for text. Please tell an admin.',
      ja: '空き容量が足りないため、今は文字だけ送れます。画像やファイルは送れません。管理者に知らせてください。',
    }),
}

/**
 * Converts an error of Fastify, its plugins, the disk or the database to an HttpError. Returns null for other
 * errors. `bodyLimit` is the maximum body size of the route, in bytes.
 */
export function toHttpError(error: unknown, bodyLimit = 0): HttpError | null {
  if (error instanceof HttpError) return error
  if (isDiskFull(error)) return httpErrors.diskFull()
  if (isUnavailable(error) || isRetryable(error)) return httpErrors.unavailable()
  const { code = '', statusCode } = error as { code?: string; statusCode?: number }
  if (code in fastifyErrors) return fastifyErrors[code]!(bodyLimit)
  // Responds with 404 if a path leaves the folder of static files, for which @fastify/static gives 403.
  if (statusCode === 403) return httpErrors.notFound()
  if (statusCode === 416)
    return new HttpError(416, { en: 'The file has no such part.', ja: 'ファイルにその範囲はありません。' })
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? malformedBody() : null
}

/**
 * Whether the client disconnected while its body was arriving. Such a client reads no response, and the
 * server has made no error.
 */
export const isBodyAborted = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete

/** Creates the error 422 for a body that was cut off, or does not match its content type. */
export const malformedBody = () =>
  fieldError('body', { en: 'The body could not be read.', ja: '本文を読み取れませんでした。' })
const bodyTooLarge = (limit: number) => {
  const size = limit < 2 ** 20 ? `${limit / 2 ** 10} kB` : `${limit / 2 ** 20} MB`
  return new HttpError(413, {
    en: `The body is larger than ${size}.`,
    ja: `本文が${size.replace(' ', '')}を超えています。`,
  })
}
const tooManyParts = () =>
  new HttpError(413, {
    en: 'The form has too many parts (at most 128).',
    ja: 'フォームの項目は128個までです。',
  })
const wrongMediaType = () =>
  new HttpError(415, {
    en: 'This call does not take a body of that type.',
    ja: 'この操作では、その形式の本文は使えません。',
  })

export const notJson = () =>
  new HttpError(415, { en: 'This call takes a JSON body.', ja: 'この操作の本文はJSONにしてください。' })

export const bodyNotObject = () =>
  fieldError('body', {
    en: 'The body must be a JSON object.',
    ja: '本文はJSONオブジェクトにしてください。',
  })

const MAX_ISSUES = 20

/**
 * Creates the error 422 with the first issues that Valibot found in an input, by the top field of their path
 * after `prefix`.
 */
export function invalidInput(issues: readonly v.BaseIssue<unknown>[], prefix = '') {
  const named = issues.slice(0, MAX_ISSUES).map((issue) => {
    const field = `${prefix}${issue.path?.[0]?.key ?? 'body'}`
    const isMissing = issue.received === 'undefined' || issue.received === 'null'
    return { field, message: validationMessage(isMissing ? 'required' : issue.message, field) }
  })
  const fields = Object.groupBy(named, ({ field }) => field)
  const messages = Object.entries(fields).map(([field, list]) => [field, list!.map(({ message }) => message)])
  return new HttpError(422, named[0]!.message, Object.fromEntries(messages))
}

const fastifyErrors: Record<string, (bodyLimit: number) => HttpError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: bodyTooLarge,
  FST_PARTS_LIMIT: tooManyParts,
  FST_FILES_LIMIT: tooManyParts,
  FST_FIELDS_LIMIT: tooManyParts,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: wrongMediaType,
  FST_ERR_CTP_INVALID_TYPE: wrongMediaType,
  FST_INVALID_MULTIPART_CONTENT_TYPE: wrongMediaType,
  FST_ERR_BAD_URL: httpErrors.notFound,
  FST_ERR_NOT_FOUND: httpErrors.notFound,
}
