import { messageLog } from './chat-helpers.ts'
import { expect, fetchJson, test, writePost } from './fixture.ts'

test('a mention looks the same in posts, replies, messages and notifications; a bare @ below a post suggests its author first, then who replied last', async ({
  member,
  admin,
}) => {
  const [ann, ben, abe] = [await member('Lookann'), await admin('Lookben'), await member('Lookabe')]
  const send = (path: string, data: object) => fetchJson(ben.page, 'POST', path, data)
  const { handle } = await (await ann.page.request.get('/api/user')).json()
  const { post } = await writePost(ben.page, `Cake for @${handle}`)
  const reply = async (who: typeof ann, text: string) =>
    (await fetchJson(who.page, 'POST', `/api/posts/${post.id}/replies`, { text })).reply.id as number
  await reply(abe, 'I do')
  const answered = await reply(ann, 'Yes')
  await send(`/api/posts/${post.id}/replies`, { text: `Now, @${handle}`, answers_id: answered })
  const { group } = await send('/api/groups', { name: 'Garden' })
  await send(`/api/groups/${group.id}/add-user`, { user_id: ann.id })
  await send('/api/group-messages/send', { group_id: group.id, message: `Cake, @${handle}?` })

  const { page } = ann
  const looks = new Set<string>()
  const expectMentions = async (scope: string, count: number) => {
    const mentions = page.locator(`${scope} .mention`)
    await expect(mentions).toHaveCount(count)
    for (const mention of await mentions.all())
      looks.add(
        await mention.evaluate((element) => {
          const { color, fontWeight, textDecorationLine } = getComputedStyle(element)
          return [color, fontWeight, textDecorationLine].join()
        }),
      )
  }
  await page.goto(`/posts/${post.id}`)
  await expectMentions('article', 3)
  await page.getByLabel('Write a reply').pressSequentially('@')
  const options = page.getByRole('listbox', { name: 'People to mention' }).getByRole('option')
  await expect(options.nth(0)).toContainText('Lookben')
  await expect(options.nth(1)).toContainText('Lookabe')
  await page.goto('/')
  await expectMentions(`article[data-post="${post.id}"]`, 3)
  await page.goto('/notifications')
  await expectMentions('.notifications', 3)
  await expect(page.locator('.notifications a a')).toHaveCount(0)
  await page.goto(`/group-chat/${group.id}`)
  await expect(messageLog(page)).toContainText('Cake')
  await expectMentions('.bubble', 1)
  expect([...looks]).toHaveLength(1)
})
