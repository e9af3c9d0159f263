import { fakeDeliveries } from '#tests/delivery-answers.ts'
import { fakePreviews } from '#tests/page-answers.ts'
import { plainPages } from '#tests/plain-pages.ts'
import { accountCases } from './all-pages-account-cases.ts'
import {
  answer500,
  opens,
  opensFromMenu,
  opensMenu,
  type PageTestCase,
  pickPicture,
  scrollsTo,
  steps,
  submitForm,
} from './all-pages-actions.ts'
import { adminCases } from './all-pages-admin-cases.ts'
import { chatCases } from './all-pages-chat-cases.ts'
import { reactionCases } from './all-pages-reaction-cases.ts'
import { registrationCases } from './all-pages-registration-cases.ts'
import { scheduledCases } from './all-pages-scheduled-cases.ts'
import { searchCases } from './all-pages-search-cases.ts'
import { expect } from './fixture.ts'

const chosen: readonly PageTestCase[] = [
  { name: 'posts, for visitors', path: '/', who: 'visitor' },
  {
    name: 'the visitors’ chat menu',
    path: '/',
    who: 'visitor',
    act: opens('.nav-links button'),
    only: 1440,
  },
  { name: 'posts of the followed, for visitors', path: '/followingpostlist', who: 'visitor' },
  ...registrationCases,
  { name: 'the set-up page, already done', path: '/setup?code=wrong', who: 'visitor' },
  ...accountCases,
  { name: 'the verification page, invalid link', path: '/email/verify/1/x', who: 'visitor' },
  { name: 'the verification page, loading', path: '/email/verify/1/x', who: 'visitor', answers: 'held' },
  { name: 'an unknown path', path: '/nowhere', who: 'visitor' },

  { name: 'posts', path: '/', who: 'ben' },
  { name: 'posts, loading', path: '/', who: 'ben', answers: 'held' },
  { name: 'posts, failed', path: '/', who: 'ben', answers: 'failed' },
  { name: 'posts, empty', path: '/', who: 'ben', answers: 'empty' },
  {
    name: 'the chat menu',
    path: '/',
    who: 'ben',
    act: opensMenu('.nav-links'),
    only: 1440,
  },
  {
    name: 'the profile menu',
    path: '/',
    who: 'ben',
    act: opens('.top-bar button.menu-button'),
  },
  { name: 'notifications', path: '/notifications', who: 'ben' },
  { name: 'notifications, loading', path: '/notifications', who: 'ben', answers: 'held' },
  { name: 'notifications, failed', path: '/notifications', who: 'ben', answers: 'failed' },
  { name: 'notifications, empty', path: '/notifications', who: 'newcomer' },
  { name: 'notifications, for visitors', path: '/notifications', who: 'visitor' },
  { name: 'the end of digests', path: '/digest/unsubscribe/1.x', who: 'visitor' },
  { name: 'notification settings', path: '/account/notifications', who: 'ben' },
  { name: 'notification settings, loading', path: '/account/notifications', who: 'ben', answers: 'held' },
  { name: 'notification settings, failed', path: '/account/notifications', who: 'ben', answers: 'failed' },
  { name: 'notification settings, for visitors', path: '/account/notifications', who: 'visitor' },
  {
    name: 'deliveries',
    path: '/account/deliveries',
    who: 'ben',
    act: fakeDeliveries,
  },
  { name: 'deliveries, loading', path: '/account/deliveries', who: 'ben', answers: 'held' },
  { name: 'deliveries, failed', path: '/account/deliveries', who: 'ben', answers: 'failed' },
  { name: 'deliveries, empty', path: '/account/deliveries', who: 'newcomer' },
  { name: 'deliveries, for visitors', path: '/account/deliveries', who: 'visitor' },
  {
    name: 'the picture viewer',
    path: '/',
    who: 'ben',
    act: opens('article .pictures button, article .pictures a'),
  },
  { name: 'posts of the followed', path: '/followingpostlist', who: 'ben' },
  { name: 'posts of the followed, empty', path: '/followingpostlist', who: 'newcomer' },
  { name: 'posts of the followed, failed', path: '/followingpostlist', who: 'ben', answers: 'failed' },
  {
    name: 'posts, menu of a post',
    path: '/',
    who: 'ann',
    // Scrolls the button of the post's menu to the middle of the window before the click. Otherwise axe
    // reports that the bottom bar covers the menu, although the menu is in front of the bar.
    act: steps(scrollsTo('article .post-menu'), opens('article .post-menu')),
  },
  {
    name: 'posts, deleting a post',
    path: '/',
    who: 'ann',
    act: steps(opens('article .post-menu'), opensFromMenu('.danger')),
  },
  {
    name: 'posts, editing a post',
    path: '/posts/1',
    who: 'ann',
    act: steps(opens('article .post-menu'), opensFromMenu('button:is(:text-is("Edit"), :text-is("編集"))')),
  },
  {
    name: 'posts, versions of a post',
    path: '/posts/1',
    who: 'ben',
    act: opens('article .edited-mark'),
  },
  {
    name: 'posts, people who like a post',
    path: '/posts/1',
    who: 'ben',
    act: opens('article .like-count'),
  },
  ...reactionCases,
  {
    name: 'posts, with previews of links',
    path: '/posts/1',
    who: 'ben',
    act: fakePreviews,
  },
  { name: 'bookmarks', path: '/bookmarks', who: 'ben' },
  { name: 'bookmarks, loading', path: '/bookmarks', who: 'ben', answers: 'held' },
  { name: 'bookmarks, failed', path: '/bookmarks', who: 'ben', answers: 'failed' },
  { name: 'bookmarks, empty', path: '/bookmarks', who: 'newcomer' },
  { name: 'bookmarks, for visitors', path: '/bookmarks', who: 'visitor' },
  ...scheduledCases,
  ...searchCases,
  { name: 'posts to read, none', path: '/waiting', who: 'newcomer' },
  { name: 'posts to read, failed', path: '/waiting', who: 'ben', answers: 'failed' },
  { name: 'posts to read, for visitors', path: '/waiting', who: 'visitor' },
  { name: 'circulars', path: '/circulars', who: 'ben' },
  { name: 'circulars, loading', path: '/circulars', who: 'ben', answers: 'held' },
  { name: 'circulars, failed', path: '/circulars', who: 'ben', answers: 'failed' },
  { name: 'events', path: '/events', who: 'ben' },
  { name: 'an event', path: '/events/1', who: 'ben' },
  { name: 'an event, loading', path: '/events/1', who: 'ben', answers: 'held' },
  { name: 'an event, not found', path: '/events/999999', who: 'ben' },
  { name: 'a month of events', path: '/events?as=month', who: 'ben' },
  { name: 'what is new', path: '/since', who: 'ben' },
  { name: 'what is new, loading', path: '/since', who: 'ben', answers: 'held' },
  { name: 'what is new, failed', path: '/since', who: 'ben', answers: 'failed' },
  { name: 'what is new, for a newcomer', path: '/since', who: 'newcomer' },
  { name: 'what is new, for visitors', path: '/since', who: 'visitor' },
  { name: 'albums', path: '/albums', who: 'ben' },
  { name: 'albums, loading', path: '/albums', who: 'ben', answers: 'held' },
  { name: 'albums, failed', path: '/albums', who: 'ben', answers: 'failed' },
  { name: 'albums, empty', path: '/albums', who: 'ben', answers: 'empty' },
  { name: 'an album', path: '/albums/1', who: 'ben' },
  { name: 'an album, loading', path: '/albums/1', who: 'ben', answers: 'held' },
  { name: 'an album, failed', path: '/albums/1', who: 'ben', answers: 'failed' },
  { name: 'an album that does not exist', path: '/albums/999', who: 'ben' },
  { name: 'an album, for visitors', path: '/albums/1', who: 'visitor' },
  { name: 'circulars, for visitors', path: '/circulars', who: 'visitor' },
  { name: 'a tag', path: '/tags/%E9%9C%B2%E9%87%8E', who: 'ben' },
  { name: 'a tag, loading', path: '/tags/%E9%9C%B2%E9%87%8E', who: 'ben', answers: 'held' },
  { name: 'a tag, failed', path: '/tags/%E9%9C%B2%E9%87%8E', who: 'ben', answers: 'failed' },
  { name: 'a tag, without posts', path: '/tags/nothing', who: 'ben' },
  { name: 'a tag, for visitors', path: '/tags/%E9%9C%B2%E9%87%8E', who: 'visitor' },
  { name: 'a post', path: '/posts/1', who: 'visitor' },
  { name: 'a post, for members', path: '/posts/1', who: 'ben' },
  { name: 'a post, loading', path: '/posts/1', who: 'ben', answers: 'held' },
  { name: 'a post, failed', path: '/posts/1', who: 'ben', answers: 'failed' },
  { name: 'a post, not found', path: '/posts/999999', who: 'ben' },
  { name: 'a member’s page', path: '/people/:ann', who: 'ben' },
  { name: 'a member’s page, loading', path: '/people/:ann', who: 'ben', answers: 'held' },
  { name: 'a member’s page, failed', path: '/people/:ann', who: 'ben', answers: 'failed' },
  { name: 'a member’s page, not found', path: '/people/999999', who: 'ben' },
  {
    name: 'a member’s page, menu',
    path: '/people/:ann',
    who: 'ben',
    act: opensMenu('.profile .actions'),
  },
  {
    name: 'a member’s page, blocking',
    path: '/people/:ann',
    who: 'ben',
    act: steps(opensMenu('.profile .actions'), opensFromMenu('.danger')),
  },
  { name: 'a member’s page, their own', path: '/people/:ann', who: 'ann' },
  {
    name: 'the keyboard shortcuts',
    path: '/',
    who: 'ben',
    act: steps(
      (page) => page.keyboard.press('?'),
      (page) => page.locator('dialog:modal').waitFor(),
    ),
    only: 1440,
  },
  { name: 'a new post', path: '/post', who: 'newcomer' },
  {
    name: 'a new post, mentioning somebody',
    path: '/post',
    who: 'ben',
    act: async (page) => {
      await page.locator('main textarea').pressSequentially('Thank you @')
      await expect(page.locator('.mention-list')).toBeVisible()
    },
  },
  {
    name: 'a new post, with a picture',
    path: '/post',
    who: 'newcomer',
    act: steps(pickPicture, (page) => page.locator('.tile').waitFor()),
  },
  {
    name: 'a new post, describing a picture',
    path: '/post',
    who: 'newcomer',
    act: steps(pickPicture, opens('.tile .describe-button')),
  },
  {
    name: 'a new post, sent without a description',
    path: '/post',
    who: 'newcomer',
    act: steps(
      pickPicture,
      (page) => page.locator('.descriptions-hint input').check(),
      opens('main form button[type=submit]'),
    ),
  },
  {
    name: 'a new post, not sent',
    path: '/post',
    who: 'ben',
    act: async (page) => {
      await page.route('**/api/posts', answer500)
      await page.locator('main textarea').fill('Never mind')
      await submitForm(page)
      await expect(page.locator('.post-error')).toBeVisible()
    },
  },
  { name: 'the profile', path: '/edit', who: 'ben' },
  { name: 'the profile, failed', path: '/edit', who: 'ben', answers: 'failed' },
  {
    name: 'the profile, cropping a profile image',
    path: '/edit',
    who: 'ben',
    act: steps(pickPicture, (page) => page.locator('dialog:modal').waitFor()),
  },
  { name: 'the user search', path: '/follow', who: 'ben' },
  { name: 'the user search, loading', path: '/follow', who: 'ben', answers: 'held' },
  { name: 'the user search, failed', path: '/follow', who: 'ben', answers: 'failed' },
  {
    name: 'the user search, nobody found',
    path: '/follow',
    who: 'ben',
    act: async (page) => {
      await page.locator('main input[type=search]').fill('xyzzy')
      await page.locator('main .empty').waitFor()
    },
  },
  ...chatCases,
  { name: 'a product', path: '/products/1', who: 'visitor' },
  { name: 'a product, loading', path: '/products/1', who: 'ben', answers: 'held' },
  { name: 'a product, failed', path: '/products/1', who: 'ben', answers: 'failed' },
  { name: 'a product that is not there', path: '/products/999999', who: 'ben' },
  { name: 'the cart', path: '/cart', who: 'ben' },
  { name: 'the cart, loading', path: '/cart', who: 'ben', answers: 'held' },
  { name: 'the cart, failed', path: '/cart', who: 'ben', answers: 'failed' },
  {
    name: 'the current user, button pressed',
    path: '/user',
    who: 'ben',
    act: (page) => page.locator('main button').first().click(),
  },

  ...adminCases,
  { name: 'the verification notice', path: '/dashboard', who: 'newcomer' },
  {
    name: 'posts, pinning a post for everyone',
    path: '/posts/2',
    who: 'ann',
    act: steps(
      opens('article .post-menu'),
      opensFromMenu(
        'button:is(:text-is("Pin for everyone…"), :text-is("「みんなの投稿」の先頭にピン留め…"))',
      ),
    ),
  },
]

/**
 * The paths of the pages that other tests check, not these test cases. `/logout` is one of them, because it
 * would end the session that all test cases share.
 */
export const apart = ['/logout']

/**
 * All test cases of all-pages.spec.ts: every page, in each of its states. Each test case runs in several
 * languages, themes and window widths.
 */
export const allCases: readonly PageTestCase[] = [
  ...chosen,
  ...plainPages([...chosen, ...apart.map((path) => ({ path }))], {
    visitor: 'visitor',
    member: 'ben',
    admin: 'ann',
  } as const),
]
