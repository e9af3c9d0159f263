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
  const expectOneRequest = async () => {
    await expect.poll(() => channels.every((name) => subscribed.has(name))).toBe(true)
    expect(inputs.map(({ channel_name }) => [channel_name].flat().sort())).toEqual([channels])
  }
  await openPrivateChatInBrowserTest(ann, ben)
  inputs.length = 0
  subscribed.clear()
  await page.reload()
  await expectOneRequest()
  inputs.length = 0
  subscribed.clear()
  interrupt()
  await expectOneRequest()
})

const respond = {
  'with an error': { status: 500, json: { message: 'Server Error' } },
  'with a damaged body': { status: 200, body: '' },
}
for (const [how, response] of Object.entries(respond))
  test(`a page gets all its channels after a request was answered ${how}`, async ({ member }) => {
    const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
    const { page } = ann
    const names: AuthInput['channel_name'][] = []
    await page.route('**/my-broadcast-auth', async (route) => {
      names.push(route.request().postDataJSON().channel_name)
      await (names.length === 1 ? route.fulfill(response) : route.continue())
    })
    await openPrivateChatInBrowserTest(ann, ben)
    await expect.poll(() => names.length).toBe(response.status === 500 ? 4 : 2)
    expect([names[0]].flat().length).toBe(3)
    await sendPrivateMessageByApiInBrowserTest(ben, ann, 'Hello')
    await expect(locateMessageLog(page).locator('.bubble')).toHaveText(['Hello'])
    await expect(locateMessageTextbox(page)).toBeVisible()
  })
