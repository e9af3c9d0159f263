import fc from 'fast-check'
import { sql } from 'kysely'
import * as v from 'valibot'
import { expect } from 'vitest'
import { contracts } from '#app.ts'
import type { Endpoint } from '#core/contract.ts'
import { isPostgres, now } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createSessionStore, endSession, openSession } from '#features/people/sessions.ts'
import type { Actor, TestApp } from '#tests/harness.ts'

/** The same inputs at each run; another seed, or more runs, finds others. */
export const SEED = Number(process.env.PRESSURE_SEED ?? 20_261_121)
const RUNS = Number(process.env.PRESSURE_RUNS ?? 25)
export const chosen = (share = 1) => ({ seed: SEED, numRuns: Math.ceil(RUNS * share) })

export const endpoints = Object.entries(contracts).flatMap(([feature, contract]) =>
  Object.entries(contract).map(([name, endpoint]) => ({
    call: `${feature}.${name}`,
    endpoint: endpoint as Endpoint,
  })),
)

// ── What is sent ────────────────────────────────────────────────────────────

const deep = (open: string, close: string) => `${open.repeat(1000)}0${close.repeat(1000)}`
/** JSON as it is written, so that it can be what no `JSON.stringify` writes. */
export const hostile = fc.oneof(
  fc.constantFrom(
    ...[
      'null',
      'true',
      '[]',
      '{}',
      '""',
      '" "',
      '"\\t\\n"',
      '[null]',
      '[[]]',
      '{"a":1}',
      '{"0":"x","length":1}',
      '{"__proto__":{"x":1}}',
    ],
    ...[
      '0',
      '-0',
      '-1',
      '1.5',
      '1e309',
      '-1e309',
      '1e-400',
      '9007199254740991',
      '9007199254740992',
      '9223372036854775808',
      '"1e3"',
      '"٣"',
    ],
    ...[
      '"\\u0000"',
      '"a\\u0000b"',
      '"\\ud800"',
      '"\\udc00x\\ud83d"',
      '"\\ufeff"',
      '"\\u202eabc"',
      '"مرحبا"',
      '"👩‍👩‍👧‍👦"',
      '"__proto__"',
      '"constructor"',
    ],
    ...[
      '"%"',
      '"\\\\"',
      '"\'; drop table users; --"',
      '"<script>"',
      '"../../etc/passwd"',
      '"1.1\\n"',
      '"NaN"',
      '"0x10"',
      '" 7 "',
    ],
    ...[
      `"${'x'.repeat(1001)}"`,
      `"${'👍'.repeat(5000)}"`,
      `"${'9'.repeat(400)}"`,
      deep('[', ']'),
      deep('{"a":', '}'),
      `[${'1,'.repeat(2000)}1]`,
    ],
  ),
  fc.json({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)),
)

/** Values that the schema accepts. */
function valid(schema: v.GenericSchema): fc.Arbitrary<unknown> {
  const texts = fc.oneof(
    fc.constantFrom(
      'correct horse',
      'someone@engawa.example',
      'Ann 🌿',
      '',
      '12.34',
      'private-chat.1.2',
      'presence-here',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.uuid().map((id) => `${id}@engawa.example`),
  )
  const ids = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }) },
    fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    fc.constant('2'),
  )
  const one = fc.oneof(ids, texts, fc.constant(null), fc.array(texts, { maxLength: 5 }))
  return one.filter((value) => v.is(schema, value))
}

type Fields = Record<string, string>
const entriesOf = ({ input }: Endpoint): Record<string, v.GenericSchema> => {
  const { entries } = input as unknown as { entries: Record<string, v.GenericSchema> }
  return entries
}

/** Each field as JSON. */
export function validFields(endpoint: Endpoint): fc.Arbitrary<Fields> {
  const entries = Object.entries(entriesOf(endpoint))
  const fields = fc.record(
    Object.fromEntries(
      entries.map(([name, schema]) => [name, valid(schema).map((value) => JSON.stringify(value))]),
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
function nearlyValid(endpoint: Endpoint): fc.Arbitrary<Fields> {
  const name = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...Object.keys(entriesOf(endpoint)), 'id') },
    names,
  )
  return fc
    .tuple(validFields(endpoint), name, hostile)
    .map(([fields, broken, value]) => ({ ...fields, [broken]: value }))
}

const object = (fields: Fields) =>
  `{${Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`
const asText = (json: string) => (json.startsWith('"') ? (JSON.parse(json) as string) : json).toWellFormed()

interface Asked {
  url: string
  body: string
}

/** Fields at their places: in the path, in the query of a GET, in the body of anything else. */
function placed(endpoint: Endpoint, fields: Fields, twice?: [string, string]): Asked {
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

/** Anything of any shape; nearly what the call takes; what it takes; and a field that comes twice. */
export function asked(endpoint: Endpoint): fc.Arbitrary<Asked> {
  const fieldNames = fc.constantFrom(...Object.keys(entriesOf(endpoint)), '__proto__')
  return fc.oneof(
    validFields(endpoint).map((fields) => placed(endpoint, fields)),
    nearlyValid(endpoint).map((fields) => placed(endpoint, fields)),
    fc
      .tuple(validFields(endpoint), fieldNames, hostile)
      .map(([fields, name, value]) => placed(endpoint, fields, [name, value])),
    fc.tuple(fc.dictionary(names, hostile, { maxKeys: 5 }), strangeQueries).map(([fields, query]) => {
      const { url, body } = placed(endpoint, fields)
      return { url: `${url.split('?')[0]}${query}`, body }
    }),
    fc
      .tuple(hostile, validFields(endpoint))
      .map(([body, fields]) => ({ url: placed(endpoint, fields).url, body })),
  )
}

// ── Who asks ────────────────────────────────────────────────────────────────

/** A visitor, a member and an admin, with something to ask about; `restored` is each of them as before, whatever a call did to them. */
export async function crowd(context: TestApp) {
  // Thousands of calls need not each be on disk.
  if (!isPostgres(context.db)) await sql`pragma synchronous = off`.execute(context.db)
  const { Ada, Ben, Cleo } = await context.members('Ada', 'Ben', 'Cleo')
  const visitor = context.visitor()
  await visitor.get('/sanctum/csrf-cookie')
  const people: Record<string, Actor> = { visitor, member: Ben, admin: Ada }
  const jars = Object.fromEntries(Object.entries(people).map(([role, { jar }]) => [role, new Map(jar)]))
  for (const [one, other] of [
    [Ada, Ben],
    [Ben, Ada],
    [Cleo, Ben],
  ] as const)
    await one.post(`/api/follow/${other.id}`)
  for (const text of ['one', 'two', 'three', 'four', 'five', 'six']) {
    await Ben.post('/api/posts', { text })
    await Ben.post('/api/send-private-message', { input: text, targetUserId: Ada.id })
    const { body } = await Ada.post('/api/groups', { name: text })
    await Ada.post(`/api/groups/${body.group.id}/add-user`, { user_id: Ben.id })
  }
  const tokens = [Ada, Ben].map(({ id, jar }) => ({ id, token: jar.get('engawa_session')! }))
  const { find } = createSessionStore(context.context)
  async function restored(role: string) {
    for (const [name, value] of jars[role]!) people[role]!.jar.set(name, value)
    for (const { id, token } of tokens) {
      const known = await find(token)
      if (known && known.me.is_admin === (id === Ada.id)) continue
      await transaction(context.db, async (tx) => {
        await sql`delete from suspensions`.execute(tx)
        await sql`delete from admins where user_id <> ${Ada.id}`.execute(tx)
        await sql`insert into admins (user_id, created_at) values (${Ada.id}, ${now()}) on conflict do nothing`.execute(
          tx,
        )
        await endSession(tx, context.context.realtime, token)
        await openSession(tx, id, token)
      })
    }
    return people[role]!
  }
  return { restored, roles: fc.constantFrom('visitor', 'member', 'member', 'admin', 'admin', 'admin') }
}

// ── What comes back ─────────────────────────────────────────────────────────

/** The one shape of errors, or a success: the contract, section 1. */
export function expectSane({ status, body }: { status: number; body: unknown }) {
  const shown = JSON.stringify(body)?.slice(0, 300)
  expect(status, shown).toBeLessThan(500)
  if (status < 400) return
  const { message, errors, ...more } = body as { message: unknown; errors?: Record<string, unknown> }
  expect(message, shown).toMatch(/\S/)
  expect(more, shown).toEqual({})
  if (status !== 422) return expect(errors, shown).toBeUndefined()
  expect(Object.keys(errors!).length, shown).toBeGreaterThan(0)
  for (const list of Object.values(errors!))
    expect(list, shown).toEqual([expect.stringMatching(/\S/), ...(list as string[]).slice(1)])
}

/** Endings that a form may have: none, too early, or twice. */
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

/** Bodies and the types that are claimed for them: forms whole and broken, and what is of no type at all. */
export const bodies: fc.Arbitrary<{ type: string; body: Buffer }> = fc.oneof(
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
      hostile.map((json) => Buffer.from(json)),
      fc
        .constantFrom('a=b&a=c', '%ff=%', '__proto__[x]=1', '{', '{"a":1', '', '\ufeff{}', '<x/>')
        .map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    ),
  }),
)
