import { describe, expect, test } from 'vitest'
import {
  befriend,
  conversationKinds,
  conversationScene,
  createGroup,
  eachPage,
  invalidIds,
  nextPageUrl,
  sendPrivate,
  sendToGroup,
} from '#tests/conversations.ts'
import { dialectsInTurn } from '#tests/harness.ts'

const cases = dialectsInTurn().flatMap((dialect) => conversationKinds.map((kind) => ({ dialect, kind })))
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1))

describe.each(cases)('the history of a $kind chat on $dialect', ({ dialect, kind }) => {
  /**
   * Creates a chat with `count` messages. After each of them, sends a message in another chat, so that the
   * ids of the chat have gaps.
   */
  async function open(count: number) {
    const testApp = await conversationScene(dialect, kind)
    const { ann, ben, eve, sendMessage } = testApp
    await befriend(ann, eve)
    const elsewhere = await createGroup(ann, 'Elsewhere')
    const [ids, foreign]: number[][] = [[], []]
    for (const text of numbers(count)) {
      ids!.push((await sendMessage(Number(text) % 3 ? ann : ben, text)).id)
      foreign!.push(
        (await (Number(text) % 2 ? sendPrivate(ann, eve, 'Foreign') : sendToGroup(ann, elsewhere, 'Foreign')))
          .id,
      )
    }
    return { ...testApp, ids: ids!, foreign: foreign! }
  }
  const texts = (messages: { message: string }[]) => messages.map(({ message }) => message)

  // spec: 7.23
  test('returns the newest fifty messages first, oldest first within the page, and pages back to the beginning', async () => {
    const { ann, ben, history, ids } = await open(120)
    const answer = await ann.get(history(ann))
    expect(texts(answer.body)).toEqual(numbers(120).slice(70))
    expect(answer.headers.link).toBe(`<${history(ann)}?before=${ids[70]}>; rel="next"`)
    const pages = await eachPage(ben, history(ben))
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 20])
    expect(texts(pages.toReversed().flat())).toEqual(numbers(120))
  })

  test('returns at most two hundred messages, and as few as one', async () => {
    const { ann, sendMessage, history } = await conversationScene(dialect, kind)
    await Promise.all(numbers(203).map((text) => sendMessage(ann, text)))
    expect((await eachPage(ann, history(ann, '?limit=200'))).map(({ length }) => length)).toEqual([200, 3])
    expect((await ann.get(history(ann, '?limit=100000'))).body).toHaveLength(200)
    const ids = (await eachPage(ann, history(ann)))
      .toReversed()
      .flat()
      .map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    expect(ids).toHaveLength(203)
    expect((await ann.get(history(ann, '?limit=1'))).body).toMatchObject([{ id: ids.at(-1) }])
    expect(nextPageUrl(await ann.get(history(ann, '?limit=1')))).toBe(
      history(ann, `?limit=1&before=${ids.at(-1)}`),
    )
  })

  test('has no next page after a page that is exactly full', async () => {
    const { ann, readHistory, history, ids } = await open(6)
    expect(nextPageUrl(await ann.get(history(ann, '?limit=6')))).toBeNull()
    expect((await eachPage(ann, history(ann, '?limit=3'))).map(texts)).toEqual([
      ['4', '5', '6'],
      ['1', '2', '3'],
    ])
    expect(await readHistory(ann, `?before=${ids[0]}`)).toEqual([])
    expect(await readHistory(ann, `?after=${ids[5]}`)).toEqual([])
  })

  test('pages forward from an id', async () => {
    const { ann, ben, sendMessage, history, ids } = await open(12)
    const pages = await eachPage(ann, history(ann, `?after=${ids[1]}&limit=4`))
    expect(pages.map(texts)).toEqual([
      ['3', '4', '5', '6'],
      ['7', '8', '9', '10'],
      ['11', '12'],
    ])
    // A message that is sent between two page requests also appears in the pages, and only once.
    const first = await ann.get(history(ann, `?after=${ids[8]}&limit=2`))
    await sendMessage(ben, '13')
    expect([first.body, ...(await eachPage(ann, nextPageUrl(first)!))].map(texts)).toEqual([
      ['10', '11'],
      ['12', '13'],
    ])
  })

  test('keeps its pages stable while new messages are sent', async () => {
    const { ann, ben, sendMessage, history } = await open(7)
    const first = await ann.get(history(ann, '?limit=3'))
    await sendMessage(ben, 'new')
    expect((await eachPage(ann, nextPageUrl(first)!)).map(texts)).toEqual([['2', '3', '4'], ['1']])
  })

  test('accepts any id as a cursor, also ids of other chats', async () => {
    const { ann, readHistory, ids, foreign } = await open(10)
    expect(texts(await readHistory(ann, `?before=${foreign[4]}`))).toEqual(numbers(5))
    expect(texts(await readHistory(ann, `?after=${foreign[4]}`))).toEqual(numbers(10).slice(5))
    expect(texts(await readHistory(ann, `?after=${ids[2]}&before=${foreign[6]}`))).toEqual([
      '4',
      '5',
      '6',
      '7',
    ])
    expect(texts(await readHistory(ann, `?before=${ids[2]}&after=${ids[6]}`))).toEqual([])
    expect(texts(await readHistory(ann, '?after=999999999'))).toEqual([])
    expect(texts(await readHistory(ann, '?before=999999999&limit=2'))).toEqual(['9', '10'])
    expect(texts(await readHistory(ann, '?before=&after=&limit='))).toEqual(numbers(10))
  })

  test('pages forward between two ids', async () => {
    const { ann, history, ids } = await open(9)
    expect(
      (await eachPage(ann, history(ann, `?after=${ids[0]}&before=${ids[7]}&limit=3`))).map(texts),
    ).toEqual([
      ['2', '3', '4'],
      ['5', '6', '7'],
    ])
  })

  test('refuses invalid cursors', async () => {
    const { ann, history } = await conversationScene(dialect, kind)
    for (const name of ['before', 'after', 'limit'])
      for (const value of invalidIds)
        expect(await ann.get(history(ann, `?${name}=${value}`)), `${name}=${value}`).toMatchObject({
          status: 422,
          body: { errors: { [name]: {} } },
        })
  })
})
