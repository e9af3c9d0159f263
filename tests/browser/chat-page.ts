import type { Page } from '@playwright/test'
import { call, expect, type Member } from './fixture.ts'

export const follow = (who: Member, whom: Member) => call(who.page, 'POST', `/api/follow/${whom.id}`)
export const tell = (from: Member, to: Member, input: string) =>
  call(from.page, 'POST', '/api/send-private-message', { input, targetUserId: to.id })
export const box = (page: Page) => page.getByRole('textbox', { name: 'Enter your message' })
export const log = (page: Page) => page.getByRole('log')
export const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main', exact: true }).locator('.badge')

export async function open(who: Member, other: Member) {
  await who.page.goto(`/privatechat/${other.id}`)
  await expect(box(who.page)).toBeVisible()
}

export async function pair(member: (name: string) => Promise<Member>) {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await follow(ann, ben)
  await follow(ben, ann)
  return { ann, ben }
}
