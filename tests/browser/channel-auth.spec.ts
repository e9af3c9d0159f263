import { openPrivateChatInBrowserTest, registerAnnAndBenFollowingEachOther } from './chat-helpers.ts'
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
