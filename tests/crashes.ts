import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { type Env, type Server, startServer } from '#tests/server.ts'
import { ask } from '#tests/services.ts'

// Kills the server at random moments while people write, starts it again, and checks that everything that was
// acknowledged is there exactly once.

export interface CrashOptions {
  rounds: number
  /** Decides the moments of the kills, and the actions of the people. */
  seed: number
  env: Env & { DATA_DIR: string }
  /** Told of each round. */
  say?: (line: string) => void
}
export interface Tally {
  kills: number
  acknowledged: Record<'posts' | 'pictures' | 'likes' | 'follows' | 'messages', number>
  /** Requests that were cut off, of which nobody knows until they are sent again. */
  cut: number
  /** One line for each row or file that was lost, doubled or left behind. */
  wrong: string[]
}

const PEOPLE = 4
const PASSWORD = 'correct horse battery'

/** mulberry32: the same numbers for the same seed. */
function randomNumbers(seed: number) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

class Person {
  id = 0
  readonly #cookies = new Map<string, string>()
  readonly name: string
  readonly #email: string
  constructor(name: string) {
    this.name = name
    this.#email = `${name.toLowerCase()}@engawa.example`
  }

  async call(url: string, method: string, path: string, body?: object | FormData) {
    const answer = await fetch(url + path, {
      method,
      headers: {
        cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; '),
        'x-xsrf-token': decodeURIComponent(this.#cookies.get('XSRF-TOKEN') ?? ''),
        ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      this.#cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const text = await answer.text()
    return { status: answer.status, body: text ? JSON.parse(text) : null }
  }

  async register(url: string) {
    await this.call(url, 'GET', '/sanctum/csrf-cookie')
    const account = {
      name: this.name,
      email: this.#email,
      password: PASSWORD,
      password_confirmation: PASSWORD,
    }
    const { status, body } = await this.call(url, 'POST', '/api/register', account)
    if (status !== 200) throw new Error(`No account: ${status} ${JSON.stringify(body)}`)
    this.id = body.user.id
  }
}

/** The state that was acknowledged. It is null where the last change was cut off, so that nobody knows it. */
interface Ledger {
  posts: Map<string, { id: number; pictures: number } | null>
  messages: Map<string, number | null>
  likes: Map<string, boolean | null>
  follows: Map<string, boolean | null>
}

export async function crashes({ rounds, seed, env, say = () => {} }: CrashOptions): Promise<Tally> {
  const random = randomNumbers(seed)
  const chance = (n: number) => Math.floor(random() * n)
  const ledger: Ledger = { posts: new Map(), messages: new Map(), likes: new Map(), follows: new Map() }
  const tally: Tally = {
    kills: 0,
    acknowledged: { posts: 0, pictures: 0, likes: 0, follows: 0, messages: 0 },
    cut: 0,
    wrong: [],
  }
  const people = Array.from({ length: PEOPLE }, (_, n) => new Person(`Person${n}`))
  const settings = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', ...env }
  let server: Server = await startServer(settings)
  for (const person of people) await person.register(server.url)
  const [first] = people as [Person, ...Person[]]
  // Chats are open whatever the follows of the game say.
  for (const one of people)
    for (const other of people)
      if (one !== other) await one.call(server.url, 'POST', `/api/follow/${other.id}`)
  for (const one of people)
    for (const other of people)
      if (one !== other)
        await one.call(server.url, 'POST', '/api/send-private-message', {
          input: 'Hello',
          targetUserId: other.id,
          client_id: `${one.id} ${other.id}`,
        })

  for (let round = 1; round <= rounds; round++) {
    const over = { is: false }
    const writers = people.map((person, n) => write(person, server.url, `${round}.${n}`, over))
    await sleep(30 + chance(900))
    await server.stop('SIGKILL')
    over.is = true
    await Promise.all(writers)
    tally.kills++
    server = await startServer(settings)
    await sendAgain(server.url)
    tally.wrong.push(...(await lasting(server.url)).map((line) => `round ${round}: ${line}`))
    say(
      `round ${round}: ${JSON.stringify(tally.acknowledged)}, ${tally.cut} cut off, ${tally.wrong.length} wrong`,
    )
  }
  await server.stop()
  return tally

  async function write(person: Person, url: string, name: string, over: { is: boolean }) {
    for (let n = 0; !over.is; n++) {
      const act = [post, post, message, message, like, follow][chance(6)]!
      try {
        await act(person, url, `${name}.${n}`)
      } catch (error) {
        if (!over.is && !isCut(error)) throw error
        tally.cut++
        return
      }
    }
  }

  async function post(person: Person, url: string, tag: string) {
    const pictures = chance(3) ? 0 : 1 + chance(2)
    const key = `${person.id} ${tag} ${pictures}`
    ledger.posts.set(key, null)
    await sendPost(person, url, key)
  }

  async function sendPost(person: Person, url: string, key: string) {
    const pictures = Number(key.split(' ')[2])
    const form = new FormData()
    form.set('text', key)
    form.set('client_id', key)
    for (let n = 0; n < pictures; n++)
      form.append('images[]', new File([await picture(`${key} ${n}`)], 'picture.png'))
    const { status, body } = await person.call(url, 'POST', '/api/posts', form)
    if (status !== 201) throw new Error(`A post was answered with ${status}`)
    ledger.posts.set(key, { id: body.post.id, pictures })
    tally.acknowledged.posts++
    tally.acknowledged.pictures += pictures
  }

  async function message(person: Person, url: string, tag: string) {
    const others = people.filter((other) => other !== person)
    const key = `${person.id} ${others[chance(others.length)]!.id} ${tag}`
    ledger.messages.set(key, null)
    await sendMessage(person, url, key)
  }

  async function sendMessage(person: Person, url: string, key: string) {
    const to = Number(key.split(' ')[1])
    const { status, body } = await person.call(url, 'POST', '/api/send-private-message', {
      input: key,
      targetUserId: to,
      client_id: key,
    })
    if (status !== 200) throw new Error(`A message was answered with ${status}`)
    ledger.messages.set(key, body.message.id)
    tally.acknowledged.messages++
  }

  async function like(person: Person, url: string) {
    const known = [...ledger.posts.values()].filter((one) => one !== null)
    const liked = known[chance(known.length)]
    if (!liked) return
    const key = `${person.id} ${liked.id}`
    const wanted = random() < 0.6
    ledger.likes.set(key, null)
    const { status } = await person.call(url, wanted ? 'PUT' : 'DELETE', `/api/posts/${liked.id}/like`)
    if (status !== 200) throw new Error(`A like was answered with ${status}`)
    ledger.likes.set(key, wanted)
    tally.acknowledged.likes++
  }

  async function follow(person: Person, url: string) {
    const others = people.filter((other) => other !== person)
    const other = others[chance(others.length)]!
    const key = `${person.id} ${other.id}`
    const wanted = random() < 0.5
    ledger.follows.set(key, null)
    const { status } = await person.call(
      url,
      wanted ? 'POST' : 'DELETE',
      wanted ? `/api/follow/${other.id}` : `/api/unfollow/${other.id}`,
    )
    if (status !== 200) throw new Error(`A follow was answered with ${status}`)
    ledger.follows.set(key, wanted)
    tally.acknowledged.follows++
  }

  /**
   * Sends requests that were cut off again, as clients do: with the same client_id, so that the post or
   * message is there once, whether or not the first request arrived.
   */
  async function sendAgain(url: string) {
    const author = (key: string) => people.find(({ id }) => id === Number(key.split(' ')[0]))!
    for (const [key, known] of ledger.posts) if (!known) await sendPost(author(key), url, key)
    for (const [key, known] of ledger.messages) if (!known) await sendMessage(author(key), url, key)
  }

  /** Faults that are still there after some seconds: a request deletes its scratch files after its answer. */
  async function lasting(url: string) {
    const wrong = await compare(url)
    if (!wrong.length) return wrong
    await sleep(3000)
    const still = new Set(await compare(url))
    return wrong.filter((line) => still.has(line))
  }

  async function compare(url: string) {
    const wrong: string[] = []
    const rows = await stored(env)
    const once = (what: string, found: readonly string[], expected: ReadonlyMap<string, unknown>) => {
      const counts = new Map<string, number>()
      for (const key of found) counts.set(key, (counts.get(key) ?? 0) + 1)
      for (const [key, count] of counts) if (count > 1) wrong.push(`${what} ${key} is there ${count} times`)
      for (const key of expected.keys()) if (!counts.has(key)) wrong.push(`${what} ${key} is lost`)
    }
    once(
      'post',
      rows.posts.map(({ body }) => body),
      ledger.posts,
    )
    once(
      'message',
      rows.messages.map(({ body }) => body).filter((body) => body !== 'Hello'),
      ledger.messages,
    )
    for (const [key, wanted] of ledger.likes)
      if (wanted !== null && rows.likes.has(key) !== wanted) wrong.push(`like ${key} is not ${wanted}`)
    for (const [key, wanted] of ledger.follows)
      if (wanted !== null && rows.follows.has(key) !== wanted) wrong.push(`follow ${key} is not ${wanted}`)
    for (const { id, likes_count } of rows.posts) {
      const likes = [...rows.likes].filter((key) => key.endsWith(` ${id}`)).length
      if (likes !== Number(likes_count)) wrong.push(`post ${id} counts ${likes_count} likes of ${likes}`)
    }
    const files = new Set(await readdir(join(env.DATA_DIR, 'media')))
    for (const file of rows.files) if (!files.has(file)) wrong.push(`file ${file} is lost`)
    for (const file of files) if (!rows.files.has(file)) wrong.push(`file ${file} belongs to nothing`)
    for (const folder of ['scratch', 'orphans'])
      for (const file of await readdir(join(env.DATA_DIR, folder), { recursive: true }))
        wrong.push(`${folder} holds ${file}`)
    for (const { pictures, id } of [...ledger.posts.values()].filter((one) => one !== null).slice(-20)) {
      const { status, body } = await first.call(url, 'GET', `/api/posts/${id}`)
      if (status !== 200 || (body.post ?? body).images.length !== pictures)
        wrong.push(`post ${id} is not shown with ${pictures} pictures`)
    }
    return wrong
  }
}

const isCut = (error: unknown) => error instanceof TypeError && /fetch failed|terminated/.test(error.message)

/** No two are alike. */
const picture = (text: string) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="#28634f"/><text y="90" fill="#fff">${text}</text></svg>`
  return sharp(Buffer.from(svg))
    .png()
    .toBuffer()
    .then((bytes) => new Uint8Array(bytes))
}

async function stored(env: CrashOptions['env']) {
  const all = async <Row>(query: string): Promise<Row[]> => {
    if (env.DATABASE_URL) return (await ask(env.DATABASE_URL, query)).rows
    const database = new DatabaseSync(join(env.DATA_DIR, 'engawa.db'), { readOnly: true })
    try {
      return database.prepare(query).all() as Row[]
    } finally {
      database.close()
    }
  }
  const pairs = async (query: string) =>
    new Set((await all<{ a: number; b: number }>(query)).map(({ a, b }) => `${a} ${b}`))
  const media = await all<{ name: string; widths: string }>('select name, widths from media')
  return {
    posts: await all<{ id: number; body: string; likes_count: number }>(
      'select id, body, likes_count from posts',
    ),
    messages: await all<{ body: string }>('select body from messages'),
    likes: await pairs('select user_id as a, post_id as b from likes'),
    follows: await pairs('select follower_id as a, followed_id as b from follows'),
    files: new Set(
      media.flatMap(({ name, widths }) => widths.split(',').map((width) => `${name}-${width}.webp`)),
    ),
  }
}
