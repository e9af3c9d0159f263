import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { deep } from '#tests/deep.ts'
import {
  arePicturesLoaded,
  countElements,
  expectPagesFit,
  expectSmallToast,
  firstLikeCount,
  focusElement,
  heightOf,
  isAtRest,
  isClearIconHidden,
  isCropReady,
  isSamePlace,
  scrollPast,
  topPost,
} from './checks.ts'
import {
  ENGINE_PASSWORD,
  type EngineFixture,
  engineStarters,
  startEngine,
  type TabMember,
} from './fixture.ts'
import type { Tab } from './tab.ts'

const box = { role: 'textbox', name: 'Enter your message' } as const
const log = { css: '[role=log]' }
const phone: [number, number] = [390, 844]
const desktop: [number, number] = [1440, 900]

/**
 * Defines the same tests of the main features for each browser engine. If this machine lacks an engine, its
 * tests are skipped and reported under its name. Chromium walks in the deep stage only, because all browser
 * tests run in it.
 */
const walked = Object.entries(engineStarters).filter(([name]) => deep || name !== 'Chromium')
for (const [name, start] of walked)
  describe.skipIf(!start)(name, { timeout: 120_000 }, () => {
    let fixture: EngineFixture
    let tabs: Tab[]
    beforeAll(async () => {
      fixture = await startEngine(start!)
    })
    afterAll(() => fixture?.stop())
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') await photograph(task.name)
      await fixture.closeWindows()
    })

    /**
     * Registers a member with a browser window for each name, and returns the members. If the test fails, a
     * screenshot of each window is written to the folder that the environment variable ENGINE_SHOTS names, if
     * it is set.
     */
    async function people(...names: string[]): Promise<TabMember[]> {
      const members: TabMember[] = []
      for (const one of names) members.push(await fixture.member(one))
      tabs = members.map(({ tab }) => tab)
      return members
    }
    async function photograph(test: string) {
      const folder = process.env.ENGINE_SHOTS
      if (!folder) return
      for (const [index, tab] of tabs.entries())
        await writeFile(join(folder, `${name} ${test.slice(0, 30)} ${index}.png`), await tab.screenshot())
    }

    test('a visitor registers, logs out, and logs in again', async () => {
      const tab = await fixture.visitor()
      tabs = [tab]
      await tab.goto('/register')
      await tab.fill({ role: 'textbox', name: 'User name' }, 'Nadia')
      await tab.fill({ role: 'textbox', name: 'Email address' }, 'nadia@')
      await tab.fill({ css: 'input[type=password]' }, 'short')
      await tab.click({ role: 'button', name: 'Register' })
      await tab.sees({ text: 'The email field must be a valid email address.' })
      await tab.sees({ text: 'The password field must be at least 8 characters.' })
      const email = `nadia.${name.toLowerCase()}@engawa.example`
      await tab.fill({ role: 'textbox', name: 'Email address' }, email)
      await tab.fill({ css: 'input[type=password]' }, ENGINE_PASSWORD)
      await tab.click({ role: 'button', name: 'Register' })
      await tab.sees({ text: 'Registration successful.' })
      await tab.goto('/logout')
      await tab.sees({ text: 'Log out successful.' })
      await tab.goto('/login')
      await tab.fill({ role: 'textbox', name: 'Email address or handle' }, email)
      await tab.fill({ css: 'input[type=password]' }, 'wrong password')
      await tab.press('Enter')
      await tab.sees({ text: 'Login failed.' })
      await tab.fill({ css: 'input[type=password]' }, ENGINE_PASSWORD)
      await tab.press('Enter')
      await tab.isAt('/')
      await tab.sees({ role: 'link', name: 'New Post' })
    })

    test('a post with two pictures is written, appears live, and is liked', async () => {
      const [ann, ben] = (await people('Ann', 'Ben')) as [TabMember, TabMember]
      await ben.tab.goto('/')
      await ben.tab.sees({ role: 'heading', name: 'Post List' })
      await ann.tab.goto('/post')
      await ann.tab.fill({ css: 'form textarea' }, `Two pictures from ${name}`)
      await ann.tab.upload(
        { css: 'input[type=file]' },
        await fixture.picture('one'),
        await fixture.picture('three'),
      )
      await ann.tab.until(async () => (await countElements(ann.tab, '.tile')) === 2, 'two tiles')
      await ann.tab.click({ role: 'button', name: 'Post' })
      await ann.tab.sees({ role: 'alert', text: 'Post submitted successfully.' })
      await ann.tab.isAt('/')
      await expectSmallToast(ann.tab)
      await ben.tab.sees({ role: 'article', text: `Two pictures from ${name}` })
      await ben.tab.until(() => ben.tab.evaluate(arePicturesLoaded), 'pictures that are drawn')
      await ann.tab.sees({ text: '1 online' })
      await ben.tab.click({ role: 'button', name: '/^Like/', within: 'article' })
      await ann.tab.until(async () => (await firstLikeCount(ann.tab)) === '1', 'one like')
    })

    test('the back button restores the reader’s position in the list', async () => {
      const [ann] = (await people('Ann')) as [TabMember]
      for (let i = 0; i < 8; i++)
        await ann.tab.call('POST', '/api/posts', { text: `${'A line of a long post\n'.repeat(20)}${i}` })
      await ann.tab.goto('/')
      await ann.tab.sees({ role: 'button', name: 'Show more' })
      // Scrolls again and again until the scroll position stays, because the scripts of the page may still
      // be loading. When they start, they scroll a new page to its top.
      await ann.tab.until(() => ann.tab.evaluate(scrollPast), 'the scrolled list')
      await ann.tab.until(() => ann.tab.evaluate(isAtRest), 'a list at rest')
      const before = await ann.tab.evaluate(topPost)
      // Clicks the link by a script in the page, because a browser driver would first scroll to the link and
      // change the position under test.
      await ann.tab.evaluate(() => document.querySelector<HTMLElement>('a[href="/follow"]')!.click())
      await ann.tab.sees({ role: 'heading', name: 'Search Users' })
      await ann.tab.evaluate(() => history.back())
      await ann.tab.sees({ role: 'heading', name: 'Post List' })
      await ann.tab.until(
        async () => isSamePlace(await ann.tab.evaluate(topPost), before),
        'the earlier place',
      )
    })

    test('a member is searched and followed, and their posts are in the feed', async () => {
      const [ann, ben] = (await people('Ann', `Ben of ${name}`)) as [TabMember, TabMember]
      await ben.tab.call('POST', '/api/posts', { text: 'From the river' })
      await ann.tab.goto('/follow')
      await ann.tab.type({ css: 'input[type=search]' }, `ben of ${name.toLowerCase()}`)
      await ann.tab.click({ role: 'button', name: `Follow Ben of ${name}` })
      await ann.tab.sees({ role: 'button', text: 'Unfollow' })
      expect(await ann.tab.evaluate(isClearIconHidden)).toBe(true)
      await ann.tab.goto('/followingpostlist')
      await ann.tab.sees({ role: 'article', text: 'From the river' })
    })

    test('two members talk, with typing and read marks, and a draft is kept', async () => {
      const [ann, ben] = (await people('Ann', 'Ben')) as [TabMember, TabMember]
      await ann.tab.call('POST', `/api/follow/${ben.id}`)
      await ben.tab.call('POST', `/api/follow/${ann.id}`)
      await ann.tab.goto(`/privatechat/${ben.id}`)
      await ben.tab.goto(`/privatechat/${ann.id}`)
      await ann.tab.sees({ text: 'Here now' })
      await ann.tab.type(box, 'Hello')
      await ben.tab.sees({ text: 'Ann is typing' })
      const before = await heightOf(ann.tab, '.message-box textarea, form textarea')
      for (const line of ['second', 'third']) {
        await ann.tab.press('Enter', 'Shift')
        await ann.tab.type(box, line)
      }
      expect(await heightOf(ann.tab, '.message-box textarea, form textarea')).toBeGreaterThan(before + 20)
      await ann.tab.press('Enter')
      await ben.tab.sees({ ...log, text: 'Hello second third' })
      await ann.tab.sees({ ...log, text: 'Seen' })
      await ben.tab.type(box, 'Hello Ann')
      await ben.tab.click({ role: 'button', name: 'Send' })
      await ann.tab.sees({ ...log, text: 'Hello Ann' })
      await ann.tab.type(box, 'not sent yet')
      await ann.tab.goto('/users')
      await ann.tab.goto(`/privatechat/${ben.id}`)
      await ann.tab.until(async () => (await ann.tab.value(box)) === 'not sent yet', 'the draft')
    })

    test('an admin makes a group, and its members talk live', async () => {
      const [ben] = (await people('Ben in a group')) as [TabMember]
      const ann = await fixture.admin('Ann')
      tabs.push(ann.tab)
      await ben.tab.goto('/my-groups')
      await ben.tab.sees({ text: 'You haven’t joined any groups yet.' })
      await ann.tab.goto('/admin/creategroup')
      await ann.tab.fill({ role: 'textbox', name: 'Group name' }, `Potters of ${name}`)
      await ann.tab.type({ css: 'input[type=search]' }, 'Ben in a group')
      await ann.tab.click({ css: 'label', text: 'Ben in a group' })
      await ann.tab.click({ role: 'button', name: '/^Create/' })
      await ann.tab.sees({ text: `Potters of ${name}` })
      await ben.tab.click({ role: 'link', name: `/Potters of ${name}/` })
      await ben.tab.sees(box)
      const path = await ben.tab.evaluate(() => location.pathname)
      await ann.tab.goto(path)
      await ann.tab.type(box, 'The kiln is hot')
      await ann.tab.press('Enter')
      await ben.tab.sees({ ...log, text: 'The kiln is hot' })
      await ben.tab.type(box, '窯に行きます')
      await ben.tab.press('Enter')
      await ann.tab.sees({ ...log, text: '窯に行きます' })
    })

    test('a profile gets a new name and a picture', async () => {
      const [ann] = (await people('Ann')) as [TabMember]
      await ann.tab.goto('/edit')
      await ann.tab.upload({ css: 'input[type=file]' }, await fixture.picture('face'))
      await ann.tab.sees({ role: 'dialog' })
      await ann.tab.until(() => ann.tab.evaluate(isCropReady), 'a picture to crop')
      await ann.tab.click({ role: 'button', name: 'Crop', within: 'dialog' })
      await ann.tab.seesNot({ role: 'dialog' })
      await ann.tab.click({ role: 'button', name: 'Upload' })
      await ann.tab.sees({ text: 'Profile image updated.' })
      await ann.tab.fill({ role: 'textbox', name: 'Name' }, 'Ann Newname')
      await ann.tab.click({ role: 'button', name: 'Save' })
      await ann.tab.sees({ role: 'alert', text: 'Profile updated successfully!' })
      await ann.tab.goto(`/people/${ann.id}`)
      await ann.tab.sees({ role: 'heading', name: 'Ann Newname' })
      await ann.tab.until(() => ann.tab.evaluate(arePicturesLoaded), 'the picture')
    })

    test('the sample shop: a stepper, the cart, and home again', async () => {
      const [ann] = (await people('Ann')) as [TabMember]
      await ann.tab.goto('/products/2')
      await ann.tab.click({ role: 'button', name: 'One more' })
      await ann.tab.click({ role: 'button', name: 'Add to cart' })
      await ann.tab.sees({ text: '追加しました' })
      await ann.tab.isAt('/')
      await ann.tab.goto('/cart')
      await ann.tab.sees({ css: 'main', text: '2' })
    })

    test('the keyboard alone reaches the skip link, a menu and a dialog, and returns', async () => {
      const [ann] = (await people('Ann')) as [TabMember]
      const { post }: { post: { id: number } } = await ann.tab.call('POST', '/api/posts', {
        text: `By keyboard in ${name}`,
      })
      await ann.tab.goto('/')
      await ann.tab.sees({ role: 'article', text: `By keyboard in ${name}` })
      await ann.tab.press('Tab')
      expect(await ann.tab.evaluate(() => document.activeElement?.getAttribute('href'))).toMatch(/^#/)
      await ann.tab.evaluate(focusElement, 'button[aria-label^="Profile"], [aria-label^="Profile:"]')
      await ann.tab.press('Enter')
      await ann.tab.sees({ role: 'link', name: 'Log out' })
      await ann.tab.press('Escape')
      await ann.tab.seesNot({ role: 'link', name: 'Log out' })
      // Waits for the menu button of this post, because the menus of other posts may be loaded earlier.
      const menuButton = `[data-post="${post.id}"] button[aria-label^="More about"]`
      await ann.tab.sees({ css: menuButton })
      await ann.tab.evaluate(focusElement, menuButton)
      await ann.tab.press('Enter')
      await ann.tab.click({ role: 'button', name: 'Delete post' })
      await ann.tab.sees({ role: 'dialog' })
      for (let i = 0; i < 6; i++) await ann.tab.press('Tab')
      expect(
        await ann.tab.evaluate(
          () =>
            document.querySelector('dialog[open]')?.contains(document.activeElement) ||
            document.activeElement === document.body,
        ),
      ).toBe(true)
      await ann.tab.press('Escape')
      await ann.tab.seesNot({ role: 'dialog' })
      await ann.tab.sees({ role: 'article', text: `By keyboard in ${name}` })
    })

    test('the draft of a post survives a reload, with its picture', async () => {
      const [ann] = (await people('Ann')) as [TabMember]
      await ann.tab.goto('/post')
      await ann.tab.fill({ css: 'form textarea' }, 'one\ntwo\nthree\nfour\nfive\nsix\nseven')
      expect(await heightOf(ann.tab, 'form textarea')).toBeGreaterThan(150)
      await ann.tab.upload({ css: 'input[type=file]' }, await fixture.picture('kept'))
      await ann.tab.sees({ text: 'Saved as a draft' })
      await ann.tab.goto('/post')
      await ann.tab.until(async () => (await countElements(ann.tab, '.tile')) === 1, 'the tile')
      expect(await ann.tab.value({ css: 'form textarea' })).toContain('seven')
    })

    test('pages fit a phone and a desktop, in both languages and themes', async () => {
      const [ann, ben] = (await people('Ann', 'Wolfeschlegelsteinhausenbergerdorff')) as [
        TabMember,
        TabMember,
      ]
      await ben.tab.call('POST', '/api/posts', { text: 'https://engawa.example/a-long-address/'.repeat(5) })
      await ann.tab.call('POST', `/api/follow/${ben.id}`)
      const paths = [
        '/',
        '/post',
        '/follow',
        '/users',
        `/privatechat/${ben.id}`,
        '/my-groups',
        '/edit',
        '/cart',
      ]
      for (const [lang, theme, size] of [
        ['日本語', '暗い', phone],
        ['English', 'Light', desktop],
      ] as const) {
        await expectPagesFit(ann.tab, paths, { lang, theme, size })
      }
    })
  })
