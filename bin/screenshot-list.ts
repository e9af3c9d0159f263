import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { memberIndex } from '#demo/members.ts'
import { demoPicturesFolder } from '#demo/pictures.ts'
import { fakeBlocked, fakePasskeys, fakePreviews } from '#tests/page-answers.ts'
import { plainPages } from '#tests/plain-pages.ts'
import { clickStep, menuStep, type ScreenshotDefinition } from './screenshot-actions.ts'
import { adminShots } from './screenshot-admin-list.ts'
import { groupShots, newcomerShots } from './screenshot-member-groups.ts'
import { openFirstPicture, openLastMenu, openShortcuts, showQrCode } from './screenshot-member-steps.ts'
import { visitorShots } from './screenshot-visitor-list.ts'

const idOf = (who: string) => memberIndex(who) + 1
/**
 * The name and the page path of the pottery group in the screenshots. `:pottery` is replaced with the id of
 * the group in the demo community.
 */
export const potteryGroup = { name: '陶芸クラブ', path: '/group-chat/:pottery' }

const demoPicture = (name: string) => join(demoPicturesFolder, `${name}.webp`)
const pick = async (page: Page) => {
  const files = ['bread-5', 'kiln-0', 'bowls-5'].map(demoPicture)
  await page.locator('main input[accept="image/*"]').setInputFiles(files)
}
const searchXyzzy = (page: Page) => page.locator('main input[type=search]').fill('xyzzy')
const pickOne = async (page: Page) => {
  await page.locator('main input[type=file]').setInputFiles(demoPicture('bread-5'))
  await page.locator('dialog:modal').waitFor()
}

const chosen: readonly ScreenshotDefinition[] = [
  ...visitorShots,
  { name: 'home', path: '/', who: 'ben' },
  {
    name: 'chat-menu',
    path: '/',
    who: 'ben',
    act: menuStep('.nav-links button[popovertarget]'),
    from: 720,
  },
  {
    name: 'profile-menu',
    path: '/',
    who: 'ben',
    act: menuStep('.top-bar button.menu-button'),
  },
  { name: 'lightbox', path: '/', who: 'ben', act: openFirstPicture },
  { name: 'following', path: '/followingpostlist', who: 'ben' },
  { name: 'search-found', path: '/search?q=river', who: 'ben' },
  { name: 'search-nothing', path: '/search?q=river%20has:poll%20from:me', who: 'ben' },
  { name: 'post', path: '/post', who: 'ben' },
  {
    name: 'post-audience',
    path: '/post',
    who: 'ben',
    act: async (page) => {
      await page.locator('main textarea').fill('Only for you')
      await page.locator('.audience-field select').selectOption('followers')
      await page.getByRole('button', { name: /^(Post|投稿する)$/ }).click()
      await page.locator('.audience-mark').first().waitFor()
    },
  },
  {
    name: 'post-filled',
    path: '/post',
    who: 'ben',
    act: async (page) => {
      await page
        .locator('main textarea')
        .fill('Three loaves, two bowls and a kiln that is still too hot to open.\nまだ熱いです。')
      await pick(page)
      await page.locator('.picture-tiles img').nth(2).waitFor()
    },
  },
  {
    name: 'post-mention',
    path: '/post',
    who: 'ben',
    act: async (page) => {
      await page.locator('main textarea').pressSequentially('Thank you for the bread, @a')
      await page.locator('.mention-list').waitFor()
    },
  },
  {
    name: 'chat-mention',
    path: potteryGroup.path,
    who: 'ben',
    act: async (page) => {
      const box = page.locator('.message-box textarea')
      await box.fill('ありがとう @ayamorita')
      await box.press('Escape')
      await box.press('Control+Enter')
      await page.locator('.bubble a').last().waitFor()
      await box.pressSequentially('Is the kiln free, ＠')
      await page.locator('.mention-list').waitFor()
    },
  },
  {
    name: 'alt-text',
    path: '/post',
    who: 'ben',
    act: async (page) => {
      await pick(page)
      await page.locator('.picture-tiles .describe-button').first().click()
      await page.locator('dialog:modal').waitFor()
    },
  },
  { name: 'one-post', path: '/posts/100', who: 'ben' },
  { name: 'post-menu', path: '/', who: 'ben', act: menuStep('article .post-menu') },
  {
    name: 'post-edit',
    path: `/people/${idOf('ben')}`,
    who: 'ben',
    act: async (page) => {
      await menuStep('article .post-menu')(page)
      await page.locator('.menu:popover-open button:is(:text-is("Edit"), :text-is("編集"))').click()
      await page.locator('dialog:modal textarea').waitFor()
    },
  },
  {
    name: 'post-versions',
    path: `/people/${idOf('ben')}`,
    who: 'ben',
    act: async (page) => {
      await menuStep('article .post-menu')(page)
      await page.locator('.menu:popover-open button:is(:text-is("Edit"), :text-is("編集"))').click()
      const text = page.locator('dialog:modal textarea')
      await text.fill(`${await text.inputValue()} It is awake now.`)
      await text.press('Control+Enter')
      await page.locator('article .edited-mark').first().click()
      await page.locator('dialog:modal li').nth(1).waitFor()
    },
  },
  { name: 'bookmarks', path: '/bookmarks', who: 'ben' },
  { name: 'newcomer-bookmarks', path: '/bookmarks', who: 'newcomer' },
  { name: 'tag', path: '/tags/lanterns', who: 'ben' },
  { name: 'tag-japanese', path: `/tags/${encodeURIComponent('灯り祭り')}`, who: 'ben' },
  { name: 'tag-without-posts', path: '/tags/nothing', who: 'ben' },
  {
    name: 'likers',
    path: '/',
    who: 'ben',
    act: async (page) => {
      await page.locator('article .like-count').first().click()
      await page.locator('dialog:modal li').first().waitFor()
    },
  },
  { name: 'link-previews', path: '/', who: 'ben', act: fakePreviews },
  {
    name: 'link-previews-chat',
    path: potteryGroup.path,
    who: 'ben',
    act: fakePreviews,
  },
  {
    name: 'reaction-picker',
    path: '/',
    who: 'ben',
    act: menuStep('article:has(.reactions) .add-reaction'),
  },
  {
    name: 'reactors',
    path: '/',
    who: 'ben',
    act: async (page) => {
      await page.locator('article .who-reacted').first().click()
      await page.locator('dialog:modal li').first().waitFor()
    },
  },
  { name: 'post-gone', path: '/posts/99999', who: 'ben' },
  { name: 'profile', path: `/people/${idOf('daniel')}`, who: 'ben' },
  {
    name: 'block',
    path: `/people/${idOf('daniel')}`,
    who: 'ben',
    act: async (page) => {
      await menuStep('.profile .actions button[popovertarget]')(page)
      await clickStep('.menu:popover-open .danger')(page)
      await page.locator('dialog:modal').waitFor()
    },
  },
  {
    name: 'mute',
    path: `/people/${idOf('daniel')}`,
    who: 'ben',
    act: async (page) => {
      await menuStep('.profile .actions button[popovertarget]')(page)
      await clickStep('.menu:popover-open button')(page)
      await page.locator('dialog:modal').waitFor()
    },
  },
  {
    name: 'account-blocked',
    path: '/account',
    who: 'ben',
    act: async (page) => {
      await page.goto('/account#blocked')
      await fakeBlocked(['Daniel Okafor', 'Yuki'])(page)
      await page.getByRole('button', { name: /Daniel Okafor/ }).waitFor()
    },
  },
  { name: 'own-profile', path: `/people/${idOf('ben')}`, who: 'ben' },
  { name: 'legend', path: '/', who: 'ben', act: openShortcuts, from: 720 },
  { name: 'edit', path: '/edit', who: 'ben' },
  { name: 'account', path: '/account', who: 'ben' },
  { name: 'second-step-setup', path: '/account', who: 'ben', act: showQrCode },
  {
    name: 'recovery-codes',
    path: '/account',
    who: 'ben',
    act: async (page) => {
      await clickStep('.recovery-codes-section button')(page)
      await page.locator('.recovery-codes').waitFor()
    },
  },
  {
    name: 'account-device-link',
    path: '/account',
    who: 'ben',
    act: async (page) => {
      await page.getByRole('button', { name: /^(Add a device|端末を追加)$/ }).click()
      await page.locator('.qr-code').waitFor()
      await page.locator('.qr-code').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'account-passkeys',
    path: '/account',
    who: 'ben',
    act: async (page) => {
      await fakePasskeys(['Safari · iOS', 'The key on my desk'])(page)
      await page.getByRole('button', { name: 'The key on my desk' }).last().scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'account-deletion',
    path: '/account',
    who: 'ben',
    act: async (page) => {
      await page.locator('.account-section').last().getByRole('button').last().click()
      await page.locator('dialog:modal').waitFor()
    },
  },
  { name: 'email-change', path: '/account/email#verify=x', who: 'ben' },
  { name: 'crop', path: '/edit', who: 'ben', act: pickOne },
  { name: 'search', path: '/follow', who: 'ben' },
  { name: 'search-none', path: '/follow', who: 'ben', act: searchXyzzy },
  { name: 'unread-chats', path: '/chats/unread', who: 'ben' },
  { name: 'users', path: '/users', who: 'ben' },
  { name: 'private-chat', path: `/privatechat/${idOf('tomas')}`, who: 'ben' },
  { name: 'private-chat-ja', path: `/privatechat/${idOf('nao')}`, who: 'aya' },
  {
    name: 'private-message-menu',
    path: `/privatechat/${idOf('daniel')}`,
    who: 'ben',
    act: openLastMenu,
  },
  { name: 'private-chat-shut', path: `/privatechat/${idOf('ranko')}`, who: 'ben' },
  { name: 'my-groups', path: '/my-groups', who: 'ben' },
  ...groupShots(potteryGroup.path),
  { name: 'group-chat', path: potteryGroup.path, who: 'ben' },
  {
    name: 'group-menu',
    path: potteryGroup.path,
    who: 'aya',
    act: menuStep('.conversation .actions button'),
  },
  {
    name: 'group-members',
    path: potteryGroup.path,
    who: 'aya',
    act: async (page) => {
      await menuStep('.conversation .actions button')(page)
      await clickStep('.conversation .menu:popover-open button')(page)
      await page.locator('dialog:modal .row').first().waitFor()
    },
  },
  {
    name: 'group-delete',
    path: potteryGroup.path,
    who: 'aya',
    act: async (page) => {
      await menuStep('.conversation .actions button')(page)
      await page.locator('.conversation .menu:popover-open .danger').last().click()
      await page.locator('dialog:modal').waitFor()
    },
  },
  { name: 'product', path: '/products/1', who: 'ben' },
  { name: 'product-2', path: '/products/2', who: 'visitor' },
  { name: 'user', path: '/user', who: 'ben', act: clickStep('main button') },
  { name: 'members-only', path: '/admin/dashboard', who: 'ben' },
  { name: 'logout', path: '/logout', who: 'ben', ends: true },

  ...adminShots,

  ...newcomerShots,
]

/**
 * The definitions of all screenshots. Each page of the app has at least one: if a page whose path has
 * parameters has none, `npm run shots` fails and takes no screenshot.
 */
export const screenshotDefinitions: readonly ScreenshotDefinition[] = [
  ...chosen,
  ...plainPages(chosen, { visitor: 'visitor', member: 'ben', admin: 'aya' } as const),
]
