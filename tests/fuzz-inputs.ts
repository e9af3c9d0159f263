import fc from 'fast-check'
import * as v from 'valibot'
import type { ServedEndpoint } from '#core/schemas.ts'
import { unusualJson } from './fuzz-json.ts'

interface GenericCompositeSchema {
  type: string
  entries: Record<string, v.GenericSchema>
  options: readonly string[]
  wrapped: v.GenericSchema
  /** Of an array: see `limitedArray`. */
  pipe?: readonly { item?: v.GenericSchema }[]
}

/**
 * The number of values in a row that a schema may reject before the generator gives up instead of running for
 * ever.
 */
const MAX_MISSES = 20_000

/**
 * Returns a fast-check generator of random values that the schema accepts. The generator throws if it finds
 * none, and names `path`.
 */
function valid(schema: v.GenericSchema, path: string): fc.Arbitrary<unknown> {
  // Builds objects and picklists from generators of their parts. The filter below would hardly ever find a
  // random value that such a schema accepts.
  const { type, entries, options, wrapped, pipe } = schema as unknown as GenericCompositeSchema
  if (type === 'object')
    return fc.record(
      Object.fromEntries(
        Object.entries(entries).map(([name, field]) => [name, valid(field, `${path}.${name}`)]),
      ),
    )
  if (type === 'picklist') return fc.constantFrom(...options)
  if (type === 'optional') return valid(wrapped, path)
  const item = pipe?.map((part) => part.item).findLast(Boolean)
  if (item && ['object', 'union'].includes(item.type))
    return fc.array(valid(item, path), { minLength: 1, maxLength: 3 })
  const texts = fc.oneof(
    fc.constantFrom(
      'correct horse',
      'someone@engawa.example',
      'Ann 🌿',
      '',
      '12.34',
      'private-chat.1.2',
      'presence-here',
      'aGVsbG8',
      '2030-04-01',
      // A place of a search.
      'group:1',
      'Asia/Tokyo',
      // A time of something that is sent later, and one until which a member has seen all.
      new Date(Date.now() + 86_400_000).toISOString(),
      new Date(Date.now() - 86_400_000).toISOString(),
      // A valid wave form of a voice message.
      '0,55,100',
      // Valid keys of a push subscription.
      'x'.repeat(87),
      'x'.repeat(22),
      // The secret of a link to an album.
      'x'.repeat(43),
      // A valid token, as in the mail of a digest.
      `1.${'x'.repeat(43)}`,
      // That of a roll call.
      `1.1.${'x'.repeat(43)}`,
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.uuid().map((id) => `${id}@engawa.example`),
  )
  const ids = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }) },
    fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    fc.constant('2'),
  )
  // A valid value of the setting `reaction_emoji`.
  const emoji = fc.constant(['👍', '😂', '😮', '😢', '🎉'])
  const lists = fc.oneof(fc.array(texts, { maxLength: 5 }), emoji)
  const one = fc.oneof(ids, texts, fc.boolean(), fc.constant(null), lists)
  let misses = 0
  return one.filter((value) => {
    misses = v.is(schema, value) ? 0 : misses + 1
    if (misses > MAX_MISSES) throw new Error(`No generated value fits the schema of ${path}.`)
    return misses === 0
  })
}

type Fields = Record<string, string>
const entriesOf = ({ input }: ServedEndpoint): Record<string, v.GenericSchema> => {
  const { entries } = input as unknown as { entries: Record<string, v.GenericSchema> }
  return entries
}

/**
 * Returns a fast-check generator of valid input for an endpoint: an object from field names to values as JSON
 * texts.
 */
export function validInput(endpoint: ServedEndpoint): fc.Arbitrary<Fields> {
  const entries = Object.entries(entriesOf(endpoint))
  const fields = fc.record(
    Object.fromEntries(
      entries.map(([name, schema]) => [
        name,
        valid(schema, `${endpoint.path} ${name}`).map((value) => JSON.stringify(value)),
      ]),
    ),
  )
  return fields.map(({ ...some }) =>
    some.password_confirmation ? { ...some, password_confirmation: some.password! } : some,
  )
}

const names = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'is_admin', ''),
  fc.string({ maxLength: 10 }),
)
function nearlyValid(endpoint: ServedEndpoint): fc.Arbitrary<Fields> {
  const name = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...Object.keys(entriesOf(endpoint)), 'id') },
    names,
  )
  return fc
    .tuple(validInput(endpoint), name, unusualJson)
    .map(([fields, broken, value]) => ({ ...fields, [broken]: value }))
}

const object = (fields: Fields) =>
  `{${Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`
const asText = (json: string) => (json.startsWith('"') ? (JSON.parse(json) as string) : json).toWellFormed()

type FuzzRequest = { url: string; body: string }

/**
 * Returns the URL and the body of a request with these fields: in the path, in the query of a GET, or in the
 * body of other methods. If `twice` is given, the request contains this field (name and value in JSON) a
 * second time.
 */
function toRequest(endpoint: ServedEndpoint, fields: Fields, twice?: [string, string]): FuzzRequest {
  const rest = { ...fields }
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const given = asText(rest[name] ?? '1')
    delete rest[name]
    return encodeURIComponent(given).slice(0, 4000)
  })
  if (endpoint.method !== 'GET')
    return {
      url: path,
      body: twice
        ? `${object(rest).slice(0, -1)}${object(rest) === '{}' ? '' : ','}"${twice[0]}":${twice[1]}}`
        : object(rest),
    }
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]) => [name.toWellFormed(), asText(value).slice(0, 2000)]),
  )
  if (twice) query.append(twice[0], asText(twice[1]).slice(0, 2000))
  return { url: `${path}?${query}`, body: '' }
}

const strangeQueries = fc.constantFrom(
  '?',
  '?&&&',
  '?=',
  '?limit=%ff',
  '?limit=%',
  '?limit[]=1',
  '?limit=1&limit=2',
  '?before=-1',
  '?q=%00',
  '?__proto__=1&q=%ed%a0%80',
  `?${'a=b&'.repeat(2000)}`,
)

/**
 * Returns a fast-check generator of requests to an endpoint: with valid input, with one invalid field, with a
 * field that is given twice, with unknown fields and an unusual query, or with any JSON as the body.
 */
export function fuzzRequest(endpoint: ServedEndpoint): fc.Arbitrary<FuzzRequest> {
  const fieldNames = fc.constantFrom(...Object.keys(entriesOf(endpoint)), '__proto__')
  return fc.oneof(
    validInput(endpoint).map((fields) => toRequest(endpoint, fields)),
    nearlyValid(endpoint).map((fields) => toRequest(endpoint, fields)),
    fc
      .tuple(validInput(endpoint), fieldNames, unusualJson)
      .map(([fields, name, value]) => toRequest(endpoint, fields, [name, value])),
    fc.tuple(fc.dictionary(names, unusualJson, { maxKeys: 5 }), strangeQueries).map(([fields, query]) => {
      const { url, body } = toRequest(endpoint, fields)
      return { url: `${url.split('?')[0]}${query}`, body }
    }),
    fc
      .tuple(unusualJson, validInput(endpoint))
      .map(([body, fields]) => ({ url: toRequest(endpoint, fields).url, body })),
  )
}

const boundary = 'x1y2'
const partNames = fc.oneof(
  fc.constantFrom(
    'text',
    'images[]',
    'images',
    'images[7]',
    'image',
    'alt[]',
    'alt',
    'name',
    '__proto__',
    'constructor[]',
    '',
    '"',
    'x'.repeat(300),
  ),
  fc.string({ maxLength: 12 }),
)
const part = fc
  .record({
    name: partNames,
    filename: fc.option(
      fc.constantFrom('', 'a.png', '../../x.png', 'x'.repeat(500), 'a\u0000.png', '写真.jpg', '"'),
    ),
    type: fc.option(fc.constantFrom('image/png', 'text/plain; charset=utf-16', 'nonsense', '')),
    content: fc.oneof(
      fc.constantFrom('', 'hello', '\x89PNG\r\n\x1a\n', 'x'.repeat(70_000), `\r\n--${boundary}`),
      fc.string({ unit: 'binary', maxLength: 30 }),
    ),
  })
  .map(({ name, filename, type, content }) =>
    [
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === null ? '' : `; filename="${filename}"`}\r\n`,
      `${type === null ? '' : `Content-Type: ${type}\r\n`}\r\n${content}\r\n`,
    ].join(''),
  )
const forms = fc
  .tuple(
    fc.array(part, { maxLength: 6 }),
    fc.constantFrom(1, 1, 1, 40),
    fc.constantFrom(`--${boundary}--\r\n`, `--${boundary}--\r\n`, '', `--${boundary}`),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.boolean(),
  )
  .map(([parts, times, end, at, cut]) => {
    const whole = `${parts.join('').repeat(times)}${end}`
    return cut ? whole.slice(0, Math.floor(whole.length * at)) : whole
  })

/**
 * Generates request bodies with a content type: complete and broken forms, JSON, and bytes that do not match
 * the content type.
 */
export const unusualBody: fc.Arbitrary<{ type: string; body: Buffer }> = fc.oneof(
  fc.record({
    type: fc.constantFrom(
      ...[
        `multipart/form-data; boundary=${boundary}`,
        `multipart/form-data; boundary="${boundary}"`,
        `multipart/form-data; boundary=${boundary}`,
      ],
      ...[
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'multipart/form-data; boundary=other',
        `multipart/mixed; boundary=${boundary}`,
      ],
      `multipart/form-data; boundary=${'b'.repeat(500)}`,
    ),
    body: forms.map((text) => Buffer.from(text)),
  }),
  fc.record({
    type: fc.oneof(
      fc.constantFrom(
        'application/json',
        'application/json; charset=utf-16',
        'APPLICATION/JSON',
        'application/json,text/plain',
        'text/plain',
        ';',
        '*/*',
      ),
      fc.constantFrom(
        'application/x-www-form-urlencoded',
        'application/octet-stream',
        'text/html',
        'nonsense',
        'a/b; c="',
        'application/jsonp',
      ),
    ),
    body: fc.oneof(
      unusualJson.map((json) => Buffer.from(json)),
      fc
        .constantFrom('a=b&a=c', '%ff=%', '__proto__[x]=1', '{', '{"a":1', '', '\ufeff{}', '<x/>')
        .map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    ),
  }),
)
