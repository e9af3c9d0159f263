import {
  locateMessageLog,
  locateMessageTextbox,
  openPrivateChatInBrowserTest,
  registerAnnAndBenFollowingEachOther,
  sendPrivateMessageByApiInBrowserTest,
} from './chat-helpers.ts'
import { expect, test } from './fixture.ts'

interface AuthInput {
  socket_id: string
  channel_name: string | string[]
}

test('a page asks for the signatures of all its channels in one request, and again after an interruption', async ({
  member,
}) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  const { page } = ann
  const inputs: AuthInput[] = []
  const subscribed = new Set<string>()
  page.on('request', (request) => {
    if (request.url().endsWith('/my-broadcast-auth')) inputs.push(request.postDataJSON())
  })
  let interrupt = () => {}
  await page.routeWebSocket(/\/app\//, (socket) => {
    const server = socket.connectToServer()
    interrupt = () => {
      void socket.close({ code: 4200, reason: 'Interrupted by the test' })
    }
    server.onMessage((message) => {
      const { event, channel } = JSON.parse(String(message))
      if (event === 'pusher_internal:subscription_succeeded') subscribed.add(channel)
      socket.send(message)
    })
  })
  const channels = ['presence-here', `presence-user.${ann.id}`, `private-chat.${ann.id}.${ben.id}`]
  const expectSubscribed = () => expect.poll(() => channels.every((name) => subscribed.has(name))).toBe(true)
  const expectOneRequest = async () => {
    await expectSubscribed()
    expect(inputs.map(({ channel_name }) => [channel_name].flat().sort())).toEqual([channels])
  }
  await openPrivateChatInBrowserTest(ann, ben)
  await expectSubscribed()
  inputs.length = 0
  subscribed.clear()
  await page.reload()
  await expectOneRequest()
  inputs.length = 0
  subscribed.clear()
  interrupt()
  await expectOneRequest()
})

const damaged = { status: 200, body: '' }
const failed = { status: 500, json: { message: 'Server Error' } }
/** `count` is the number of damaged or failed answers, and `alone` that of the later requests for one channel. */
const failures = {
  'with an error': { response: failed, count: 1, alone: 3 },
  'with a damaged body': { response: damaged, count: 1, alone: 0 },
  'twice with a damaged body': { response: damaged, count: 2, alone: 3 },
}
for (const [how, { response, count, alone }] of Object.entries(failures))
  test(`a page gets all its channels after a request was answered ${how}`, async ({ member }) => {
    const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
    const { page } = ann
    const names: AuthInput['channel_name'][] = []
    await page.route('**/my-broadcast-auth', async (route) => {
      names.push(route.request().postDataJSON().channel_name)
      await (names.length <= count ? route.fulfill(response) : route.continue())
    })
    await openPrivateChatInBrowserTest(ann, ben)
    await expect.poll(() => names.length).toBe(count + (alone || 1))
    expect(names.filter((name) => !Array.isArray(name)).length).toBe(alone)
    expect([names[0]].flat().length).toBe(3)
    await sendPrivateMessageByApiInBrowserTest(ben, ann, 'Hello')
    await expect(locateMessageLog(page).locator('.bubble')).toHaveText(['Hello'])
    await expect(locateMessageTextbox(page)).toBeVisible()
  })

test('a page gets its other channels if the server refuses one of them', async ({ member }) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  const { page } = ann
  const chat = `private-chat.${ann.id}.${ben.id}`
  const subscribed = new Set<string>()
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const { event, channel } = JSON.parse(String(payload))
      if (event === 'pusher_internal:subscription_succeeded') subscribed.add(channel)
    }),
  )
  await page.route('**/my-broadcast-auth', async (route) => {
    const names: string[] = [route.request().postDataJSON().channel_name].flat()
    const response = await route.fetch()
    const signatures: unknown[] = [await response.json()].flat()
    const json = signatures.map((signature, index) => (names[index] === chat ? null : signature))
    await route.fulfill({ response, json })
  })
  await page.goto(`/privatechat/${ben.id}`)
  const others = ['presence-here', `presence-user.${ann.id}`]
  await expect.poll(() => others.every((name) => subscribed.has(name))).toBe(true)
  expect([...subscribed]).not.toContain(chat)
})
