import sharp from 'sharp'
import { seededRandom } from '#bench/random.ts'

const PASSWORD = 'correct horse battery'

export class CrashMember {
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

/**
 * The writes that the server has confirmed with a response: for each post its id and number of pictures, for
 * each message its id, and whether each like and each follow exists. A value is null while the last request
 * for it has no response.
 */
export interface Acknowledged {
  posts: Map<string, { id: number; pictures: number } | null>
  messages: Map<string, number | null>
  likes: Map<string, boolean | null>
  follows: Map<string, boolean | null>
}

export interface CrashResult {
  kills: number
  acknowledged: Record<'posts' | 'pictures' | 'likes' | 'follows' | 'messages', number>
  /**
   * The number of requests that got no response because the server was killed. Posts and messages are sent
   * again later, likes and follows are not.
   */
  cut: number
  /** One error text for each difference between the confirmed writes and the stored rows and files. */
  wrong: string[]
}

/**
 * Members who send random requests to a server. `ledger` records the writes that the server has confirmed,
 * and `tally` counts these writes.
 */
export class CrashWriters {
  readonly ledger: Acknowledged = {
    posts: new Map(),
    messages: new Map(),
    likes: new Map(),
    follows: new Map(),
  }
  readonly tally: CrashResult = {
    kills: 0,
    acknowledged: { posts: 0, pictures: 0, likes: 0, follows: 0, messages: 0 },
    cut: 0,
    wrong: [],
  }
  readonly people: readonly CrashMember[]
  readonly #random: () => number
  constructor(people: readonly CrashMember[], seed: number) {
    this.people = people
    this.#random = seededRandom(seed)
  }

  /** Returns a random whole number from 0 to `n` - 1. */
  chance(n: number) {
    return Math.floor(this.#random() * n)
  }

  async write(person: CrashMember, url: string, name: string, over: { is: boolean }) {
    for (let n = 0; !over.is; n++) {
      const act = [this.#post, this.#post, this.#message, this.#message, this.#like, this.#follow][
        this.chance(6)
      ]!
      try {
        await act.call(this, person, url, `${name}.${n}`)
      } catch (error) {
        if (!over.is && !isCut(error)) throw error
        this.tally.cut++
        return
      }
    }
  }

  async #post(person: CrashMember, url: string, tag: string) {
    const pictures = this.chance(3) ? 0 : 1 + this.chance(2)
    const key = `${person.id} ${tag} ${pictures}`
    this.ledger.posts.set(key, null)
    await this.#sendPost(person, url, key)
  }

  async #sendPost(person: CrashMember, url: string, key: string) {
    const pictures = Number(key.split(' ')[2])
    const form = new FormData()
    form.set('text', key)
    form.set('client_id', key)
    for (let n = 0; n < pictures; n++)
      form.append('images[]', new File([await picture(`${key} ${n}`)], 'picture.png'))
    const { status, body } = await person.call(url, 'POST', '/api/posts', form)
    if (status !== 201) throw new Error(`A post was answered with ${status}`)
    this.ledger.posts.set(key, { id: body.post.id, pictures })
    this.tally.acknowledged.posts++
    this.tally.acknowledged.pictures += pictures
  }

  async #message(person: CrashMember, url: string, tag: string) {
    const others = this.people.filter((other) => other !== person)
    const key = `${person.id} ${others[this.chance(others.length)]!.id} ${tag}`
    this.ledger.messages.set(key, null)
    await this.#sendMessage(person, url, key)
  }

  async #sendMessage(person: CrashMember, url: string, key: string) {
    const to = Number(key.split(' ')[1])
    const { status, body } = await person.call(url, 'POST', '/api/send-private-message', {
      input: key,
      targetUserId: to,
      client_id: key,
    })
    if (status !== 200) throw new Error(`A message was answered with ${status}`)
    this.ledger.messages.set(key, body.message.id)
    this.tally.acknowledged.messages++
  }

  async #like(person: CrashMember, url: string) {
    const known = [...this.ledger.posts.values()].filter((one) => one !== null)
    const liked = known[this.chance(known.length)]
    if (!liked) return
    const key = `${person.id} ${liked.id}`
    const wanted = this.#random() < 0.6
    this.ledger.likes.set(key, null)
    const { status } = await person.call(url, wanted ? 'PUT' : 'DELETE', `/api/posts/${liked.id}/like`)
    if (status !== 200) throw new Error(`A like was answered with ${status}`)
    this.ledger.likes.set(key, wanted)
    this.tally.acknowledged.likes++
  }

  async #follow(person: CrashMember, url: string) {
    const others = this.people.filter((other) => other !== person)
    const other = others[this.chance(others.length)]!
    const key = `${person.id} ${other.id}`
    const wanted = this.#random() < 0.5
    this.ledger.follows.set(key, null)
    const { status } = await person.call(
      url,
      wanted ? 'POST' : 'DELETE',
      wanted ? `/api/follow/${other.id}` : `/api/unfollow/${other.id}`,
    )
    if (status !== 200) throw new Error(`A follow was answered with ${status}`)
    this.ledger.follows.set(key, wanted)
    this.tally.acknowledged.follows++
  }

  /**
   * Sends again the posts and messages that got no response, with the same client_id, as real clients do. So
   * the server stores each post and message exactly once.
   */
  async sendAgain(url: string) {
    const author = (key: string) => this.people.find(({ id }) => id === Number(key.split(' ')[0]))!
    for (const [key, known] of this.ledger.posts) if (!known) await this.#sendPost(author(key), url, key)
    for (const [key, known] of this.ledger.messages)
      if (!known) await this.#sendMessage(author(key), url, key)
  }
}

const isCut = (error: unknown) => error instanceof TypeError && /fetch failed|terminated/.test(error.message)

/** Returns the bytes of a PNG picture that shows a text, so that each picture is different. */
const picture = (text: string) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="#28634f"/><text y="90" fill="#fff">${text}</text></svg>`
  return sharp(Buffer.from(svg))
    .png()
    .toBuffer()
    .then((bytes) => new Uint8Array(bytes))
}
