import type { Locator, Page } from '@playwright/test'
import { expect, fetchJson, type PageMember } from './fixture.ts'

export const follow = (who: PageMember, whom: PageMember) =>
  fetchJson(who.page, 'POST', `/api/follow/${whom.id}`)
export const sendMessage = (from: PageMember, to: PageMember, input: string) =>
  fetchJson(from.page, 'POST', '/api/send-private-message', {
    input,
    targetUserId: to.id,
  })
export const messageBox = (page: Page) => page.getByRole('textbox', { name: 'Enter your message' })
export const messageLog = (page: Page) => page.getByRole('log')
export const unreadBadge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main', exact: true }).locator('.badge')

export async function openChat(who: PageMember, other: PageMember) {
  await who.page.goto(`/privatechat/${other.id}`)
  await expect(messageBox(who.page)).toBeVisible()
}

export async function annAndBen(member: (name: string) => Promise<PageMember>) {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await follow(ann, ben)
  await follow(ben, ann)
  return { ann, ben }
}

/** As Chrome sends it, and as Safari does after the end of the conversion. */
export async function pressWhileConverting(field: Locator, key: string) {
  for (const composing of [{ isComposing: true }, { keyCode: 229 }])
    await field.evaluate(
      (area, options) =>
        area.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...options })),
      { key, ...composing },
    )
}
