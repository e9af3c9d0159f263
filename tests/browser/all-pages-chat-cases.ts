import { fakeGroupCreation, fakeSlowMode } from '#tests/page-answers.ts'
import {
  answer500,
  openNewestMenu,
  opens,
  opensFromMenu,
  opensMenu,
  type PageTestCase,
  steps,
} from './all-pages-actions.ts'

/** Opens the dialog of an item in the menu of a group. The item has one of these texts, by the language. */
const openGroupDialog = (en: string, ja: string) =>
  steps(
    opensMenu('.conversation .page-header'),
    opensFromMenu(`button:text-is("${en}"), .menu:popover-open button:text-is("${ja}")`),
  )

/** The test cases of the pages of private chats and groups. */
export const chatCases: readonly PageTestCase[] = [
  { name: 'groups to join, loading', path: '/groups', who: 'newcomer', answers: 'held' },
  { name: 'groups to join, failed', path: '/groups', who: 'newcomer', answers: 'failed' },
  { name: 'a link to a group, ended', path: '/groups/link/x', who: 'newcomer' },
  { name: 'a link to a group, for visitors', path: '/groups/link/x', who: 'visitor' },
  { name: 'a group to join, not found', path: '/groups/999999', who: 'newcomer' },
  { name: 'requests to join groups, failed', path: '/groups/requests', who: 'ben', answers: 'failed' },
  { name: 'all chats', path: '/chats', who: 'ben' },
  { name: 'all chats, empty', path: '/chats', who: 'newcomer' },
  { name: 'private chats', path: '/users', who: 'ben' },
  { name: 'private chats, empty', path: '/users', who: 'newcomer' },
  { name: 'private chats, loading', path: '/users', who: 'ben', answers: 'held' },
  { name: 'private chats, failed', path: '/users', who: 'ben', answers: 'failed' },
  { name: 'a private chat', path: '/privatechat/:ann', who: 'ben' },
  { name: 'a private chat, loading', path: '/privatechat/:ann', who: 'ben', answers: 'held' },
  { name: 'a private chat, failed', path: '/privatechat/:ann', who: 'ben', answers: 'failed' },
  { name: 'a private chat, not allowed', path: '/privatechat/:ann', who: 'newcomer' },
  { name: 'a private chat, not found', path: '/privatechat/999999', who: 'ben' },
  {
    name: 'a private chat, menu of a message',
    path: '/privatechat/:ann',
    who: 'ben',
    act: openNewestMenu,
  },
  {
    name: 'a private chat, deleting a message',
    path: '/privatechat/:ann',
    who: 'ben',
    act: steps(openNewestMenu, opensFromMenu('.danger')),
  },
  {
    name: 'a private chat, message not sent',
    path: '/privatechat/:ann',
    who: 'ben',
    act: async (page) => {
      await page.route('**/api/send-private-message', answer500)
      await page.locator('.message-box textarea').fill('Never mind')
      await page.locator('.message-box textarea').press('Control+Enter')
      await page.locator('.send-error').waitFor()
    },
  },
  { name: 'groups', path: '/my-groups', who: 'ben' },
  { name: 'groups, empty', path: '/my-groups', who: 'newcomer' },
  { name: 'groups, failed', path: '/my-groups', who: 'ben', answers: 'failed' },
  {
    name: 'groups, of members',
    path: '/my-groups',
    who: 'ben',
    act: fakeGroupCreation,
  },
  {
    name: 'a group of a member',
    path: '/my-groups/new',
    who: 'ben',
    act: fakeGroupCreation,
  },
  { name: 'a group of a member, not allowed', path: '/my-groups/new', who: 'ben' },
  {
    name: 'a group, slow mode',
    path: '/group-chat/:group',
    who: 'ben',
    act: fakeSlowMode,
  },
  {
    name: 'a group, choosing slow mode',
    path: '/group-chat/:group',
    who: 'ann',
    act: openGroupDialog('Slow mode', '連続送信の制限'),
  },
  {
    name: 'a group, its description',
    path: '/group-chat/:group',
    who: 'ann',
    act: openGroupDialog('Description', '説明を編集'),
  },
  {
    name: 'a group, its picture',
    path: '/group-chat/:group',
    who: 'ann',
    act: openGroupDialog('Picture', '画像を変更'),
  },
  {
    name: 'a group, handing it over',
    path: '/group-chat/:group',
    who: 'ann',
    act: openGroupDialog('Hand over', 'まとめ役を交代…'),
  },
  { name: 'a group', path: '/group-chat/:group', who: 'ben' },
  { name: 'a group, loading', path: '/group-chat/:group', who: 'ben', answers: 'held' },
  { name: 'a group, failed', path: '/group-chat/:group', who: 'ben', answers: 'failed' },
  {
    name: 'a group, menu',
    path: '/group-chat/:group',
    who: 'ann',
    act: opensMenu('.conversation .page-header'),
  },
  {
    name: 'a group, members',
    path: '/group-chat/:group',
    who: 'ann',
    act: openGroupDialog('Members', 'メンバー'),
  },
  {
    name: 'a group, adding members',
    path: '/group-chat/:group',
    who: 'ann',
    act: openGroupDialog('Add people', 'メンバーを追加'),
  },
  {
    name: 'a group, renaming it',
    path: '/group-chat/:group',
    who: 'ann',
    act: openGroupDialog('Rename', '名前を変更'),
  },
  {
    name: 'a group, deleting it',
    path: '/group-chat/:group',
    who: 'ann',
    act: openGroupDialog('Delete group', 'グループを削除'),
  },
  {
    name: 'a group, its pinned messages',
    path: '/group-chat/:group',
    who: 'ann',
    act: opens('[aria-label="Pinned messages"] .button, [aria-label="ピン留めされたメッセージ"] .button'),
  },
  {
    name: 'a group, its pinned posts',
    path: '/group-chat/:group',
    who: 'ben',
    act: opens('[aria-label="Pinned posts"] .button, [aria-label="ピン留めされた投稿"] .button'),
  },
  {
    name: 'a group, forwarding a message',
    path: '/group-chat/:group',
    who: 'ben',
    act: steps(openNewestMenu, opensFromMenu('button:text-matches("Forward|転送")'), (page) =>
      page.locator('dialog:modal input[type=checkbox]').first().check(),
    ),
  },
  { name: 'a group, not found', path: '/group-chat/999999', who: 'ben' },
]
