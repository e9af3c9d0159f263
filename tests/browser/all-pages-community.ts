import type { APIRequestContext, BrowserContext, CDPSession, Page } from '@playwright/test'
import { onePage } from '#tests/pdf.ts'
import { test as base, expect, fetchJson, pictureFile, registerMember } from './fixture.ts'

export type ViewerName = 'visitor' | 'ann' | 'ben' | 'newcomer'
export interface PageCommunity {
  origin: string
  ids: Record<Exclude<ViewerName, 'visitor'>, number>
  group: number
  cookies: ReadonlyMap<ViewerName, Awaited<ReturnType<BrowserContext['cookies']>>>
}

/**
 * Playwright's `test` with two more fixtures. `community` is a small community for each test worker, with
 * long names, both languages, a picture, a group and a chat; its function is long, because it creates all of
 * this one after another. `protocol` is a DevTools session of the page.
 */
export const test = base.extend<{ protocol: CDPSession }, { community: PageCommunity }>({
  protocol: async ({ page }, use) => use(await page.context().newCDPSession(page)),
  community: [
    async ({ browser, server, grantAdmin }, use) => {
      const moveIn = async (name: string, who: string) => {
        const page = await (await browser.newContext({ baseURL: server.url })).newPage()
        return {
          page,
          id: await registerMember(page, name, `${who}.${crypto.randomUUID()}@engawa.example`),
        }
      }
      const ann = await moveIn('森田 あや', 'ann')
      const ben = await moveIn('Wolfeschlegelsteinhausenbergerdorffson', 'ben')
      const newcomer = await moveIn('Yui', 'yui')
      await grantAdmin(ann.id)
      let newestMessage = 0
      for (const [from, to] of [
        [ann, ben],
        [ben, ann],
      ] as const) {
        await fetchJson(from.page, 'POST', `/api/follow/${to.id}`)
        for (const input of [
          '縁側でお茶を飲んでいたら、猫が来ました。',
          `Rindfleisch${'x'.repeat(120)} https://kiln.example/rota`,
          '🙌🏽',
        ])
          newestMessage = (
            await fetchJson(from.page, 'POST', '/api/send-private-message', {
              input,
              targetUserId: to.id,
            })
          ).message.id
        await fetchJson(from.page, 'POST', '/api/posts', {
          text: `Line\n${'A line of its own. '.repeat(12)}\n露野の朝。`,
        })
      }
      await postPicture(ann.page.request, ann.page)
      for (const { page } of [ann, ben])
        await fetchJson(page, 'POST', '/api/posts/1/replies', {
          text: `露野の朝。 https://kiln.example/rota Rindfleisch${'x'.repeat(120)}`,
        })
      await fetchJson(ann.page, 'PUT', '/api/posts/1', {
        text: `露野の朝。${'A line of its own. '.repeat(12)}#露野`,
      })
      await fetchJson(ann.page, 'PUT', '/api/posts/1/pin')
      await fetchJson(ann.page, 'PUT', '/api/posts/1/like')
      const newestMessages = [0, 1, 2].map((n) => `chat-messages/${newestMessage - n}`)
      for (const path of ['posts/1', 'replies/1', ...newestMessages])
        for (const [{ page }, emoji] of [
          [ann, '👍'],
          [ben, '👍'],
          [ben, '🎉'],
        ] as const)
          await fetchJson(page, 'PUT', `/api/${path}/reactions/${encodeURIComponent(emoji)}`)
      for (const id of [1, 2]) await fetchJson(ben.page, 'PUT', `/api/posts/${id}/bookmark`)
      const created = await fetchJson(ann.page, 'POST', '/api/groups', {
        name: '陶芸クラブ',
      })
      const group = created.group.id as number
      await fetchJson(ann.page, 'POST', `/api/groups/${group}/add-user`, {
        user_id: ben.id,
      })
      for (const { page } of [ann, ben]) {
        const { message } = await fetchJson(page, 'POST', '/api/group-messages/send', {
          group_id: group,
          message: 'Kiln at 840',
        })
        await fetchJson(ann.page, 'PUT', `/api/chat-messages/${message.id}/pin`)
        await fetchJson(ben.page, 'POST', `/api/chat-messages/${message.id}/forward`, {
          user_id: ann.id,
        })
      }
      for (const text of ['Kiln rota', `${'A line of its own. '.repeat(12)}露野の朝。`]) {
        const { post } = await fetchJson(ben.page, 'POST', '/api/posts', {
          text,
          audience: 'group',
          group_id: group,
        })
        await fetchJson(ann.page, 'PUT', `/api/posts/${post.id}/pin`)
      }
      const cookies: PageCommunity['cookies'] = new Map(
        await Promise.all(
          Object.entries({ ann, ben, newcomer }).map(
            async ([who, { page }]) => [who as ViewerName, await page.context().cookies()] as const,
          ),
        ),
      )
      for (const { page } of [ann, ben, newcomer]) await page.context().close()
      await use({
        origin: server.url,
        ids: { ann: ann.id, ben: ben.id, newcomer: newcomer.id },
        group,
        cookies,
      })
    },
    { scope: 'worker' },
  ],
})

const plan = {
  name: 'Plan of the autumn cleaning of the whole neighbourhood.pdf',
  mimeType: 'application/pdf',
  buffer: onePage(['Plan']),
}

/** With a file. */
async function postPicture(request: APIRequestContext, page: Page) {
  const token = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')!.value
  const answer = await request.post('/api/posts', {
    multipart: {
      text: 'The river',
      'images[]': await pictureFile('river'),
      'files[]': plan,
      'previews[]': await pictureFile('page'),
      'preview_of[]': '1',
      'alt[]': 'The river, rising',
    },
    headers: { 'x-xsrf-token': decodeURIComponent(token), accept: 'application/json' },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
}
