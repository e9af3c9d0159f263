import type { Page } from '@playwright/test'
import { expect, type MemberWithPage, sendApiRequest } from './fixture.ts'

export const followMemberByApi = (who: MemberWithPage, whom: MemberWithPage) =>
  sendApiRequest(who.page, 'POST', `/api/follow/${whom.id}`)
export const sendPrivateMessageByApi = (from: MemberWithPage, to: MemberWithPage, input: string) =>
  sendApiRequest(from.page, 'POST', '/api/send-private-message', { input, targetUserId: to.id })
export const getMessageBox = (page: Page) => page.getByRole('textbox', { name: 'Enter your message' })
export const getMessageLog = (page: Page) => page.getByRole('log')
export const getNavigationUnreadBadge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main', exact: true }).locator('.badge')

export async function openPrivateChat(who: MemberWithPage, other: MemberWithPage) {
  await who.page.goto(`/privatechat/${other.id}`)
  await expect(getMessageBox(who.page)).toBeVisible()
}

export async function registerMembersFollowingEachOther(member: (name: string) => Promise<MemberWithPage>) {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await followMemberByApi(ann, ben)
  await followMemberByApi(ben, ann)
  return { ann, ben }
}
