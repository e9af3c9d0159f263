import { describe, expect, test } from 'vitest'
import {
  befriend,
  createConversation,
  groupOf,
  kinds,
  nextOf,
  nonsense,
  pagesOf,
  say,
  write,
} from '#tests/chat.ts'
import { dialects } from '#tests/harness.ts'

const cases = dialects.flatMap((dialect) => kinds.map((kind) => ({ dialect, kind })))
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1))

describe.each(cases)('the history of a $kind chat on $dialect', ({ dialect, kind }) => {
  /** A chat with `count` messages. Between them, the same number of messages goes to another chat. */
  async function open(count: number) {
    const place = await createConversation(dialect, kind)
    const { ann, ben, eve, says } = place
    await befriend(ann, eve)
    const elsewhere = await groupOf(ann, 'Elsewhere')
    const [ids, foreign]: number[][] = [[], []]
    for (const text of numbers(count)) {
      ids!.push((await says(Number(text) % 3 ? ann : ben, text)).id)
      foreign!.push(
        (await (Number(text) % 2 ? write(ann, eve, 'Foreign') : say(ann, elsewhere, 'Foreign'))).id,
      )
    }
    return { ...place, ids: ids!, foreign: foreign! }
  }
  const texts = (messages: { message: string }[]) => messages.map(({ message }) => message)

  test('is fifty at first, the newest, oldest first, and leads back to the beginning', async () => {
    const { ann, ben, history, ids } = await open(120)
    const answer = await ann.get(history(ann))
    expect(texts(answer.body)).toEqual(numbers(120).slice(70))
    expect(answer.headers.link).toBe(`<${history(ann)}?before=${ids[70]}>; rel="next"`)
    const pages = await pagesOf(ben, history(ben))
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 20])
    expect(texts(pages.toReversed().flat())).toEqual(numbers(120))
  })

  test('is two hundred at the most, and as few as one', async () => {
    const { ann, says, history } = await createConversation(dialect, kind)
    await Promise.all(numbers(203).map((text) => says(ann, text)))
    expect((await pagesOf(ann, history(ann, '?limit=200'))).map(({ length }) => length)).toEqual([200, 3])
    expect((await ann.get(history(ann, '?limit=100000'))).body).toHaveLength(200)
    const ids = (await pagesOf(ann, history(ann)))
      .toReversed()
      .flat()
      .map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    expect(ids).toHaveLength(203)
    expect((await ann.get(history(ann, '?limit=1'))).body).toMatchObject([{ id: ids.at(-1) }])
    expect(nextOf(await ann.get(history(ann, '?limit=1')))).toBe(
      history(ann, `?limit=1&before=${ids.at(-1)}`),
    )
  })

  test('ends where it ends: a page that is just full leads nowhere', async () => {
    const { ann, hears, history, ids } = await open(6)
    expect(nextOf(await ann.get(history(ann, '?limit=6')))).toBeNull()
    expect((await pagesOf(ann, history(ann, '?limit=3'))).map(texts)).toEqual([
      ['4', '5', '6'],
      ['1', '2', '3'],
    ])
    expect(await hears(ann, `?before=${ids[0]}`)).toEqual([])
    expect(await hears(ann, `?after=${ids[5]}`)).toEqual([])
  })

  test('leads forward from the last id that a page has', async () => {
    const { ann, ben, says, history, ids } = await open(12)
    const pages = await pagesOf(ann, history(ann, `?after=${ids[1]}&limit=4`))
    expect(pages.map(texts)).toEqual([
      ['3', '4', '5', '6'],
      ['7', '8', '9', '10'],
      ['11', '12'],
    ])
    // A message that is sent while the member pages on appears too, once.
    const first = await ann.get(history(ann, `?after=${ids[8]}&limit=2`))
    await says(ben, '13')
    expect([first.body, ...(await pagesOf(ann, nextOf(first)!))].map(texts)).toEqual([
      ['10', '11'],
      ['12', '13'],
    ])
  })

  test('does not move while something new is said', async () => {
    const { ann, ben, says, history } = await open(7)
    const first = await ann.get(history(ann, '?limit=3'))
    await says(ben, 'new')
    expect((await pagesOf(ann, nextOf(first)!)).map(texts)).toEqual([['2', '3', '4'], ['1']])
  })

  test('may be cut at any id, also of messages elsewhere', async () => {
    const { ann, hears, ids, foreign } = await open(10)
    expect(texts(await hears(ann, `?before=${foreign[4]}`))).toEqual(numbers(5))
    expect(texts(await hears(ann, `?after=${foreign[4]}`))).toEqual(numbers(10).slice(5))
    expect(texts(await hears(ann, `?after=${ids[2]}&before=${foreign[6]}`))).toEqual(['4', '5', '6', '7'])
    expect(texts(await hears(ann, `?before=${ids[2]}&after=${ids[6]}`))).toEqual([])
    expect(texts(await hears(ann, '?after=999999999'))).toEqual([])
    expect(texts(await hears(ann, '?before=999999999&limit=2'))).toEqual(['9', '10'])
    expect(texts(await hears(ann, '?before=&after=&limit='))).toEqual(numbers(10))
  })

  test('between two ids leads forward to the second', async () => {
    const { ann, history, ids } = await open(9)
    expect(
      (await pagesOf(ann, history(ann, `?after=${ids[0]}&before=${ids[7]}&limit=3`))).map(texts),
    ).toEqual([
      ['2', '3', '4'],
      ['5', '6', '7'],
    ])
  })

  test('refuses cursors that are none', async () => {
    const { ann, history } = await createConversation(dialect, kind)
    for (const name of ['before', 'after', 'limit'])
      for (const value of nonsense)
        expect(await ann.get(history(ann, `?${name}=${value}`)), `${name}=${value}`).toMatchObject({
          status: 422,
          body: { errors: { [name]: {} } },
        })
  })
})
