import {
  openReactedMenu,
  opens,
  opensFromMenu,
  type PageTestCase,
  scrollsTo,
  steps,
} from './all-pages-actions.ts'
import { expect } from './fixture.ts'

/**
 * The test cases about reactions. The test community has reactions to a post, a reply and a private
 * message.
 */
export const reactionCases: readonly PageTestCase[] = [
  {
    name: 'a post, choosing a reaction',
    path: '/posts/1',
    who: 'ben',
    act: steps(scrollsTo('article[data-post] .add-reaction'), opens('article[data-post] .add-reaction')),
  },
  {
    name: 'a post, choosing a reaction to a reply',
    path: '/posts/1',
    who: 'ben',
    act: steps(scrollsTo('article[data-reply] .add-reaction'), opens('article[data-reply] .add-reaction')),
  },
  {
    name: 'a post, people who reacted',
    path: '/posts/1',
    who: 'ben',
    act: opens('article[data-post] .who-reacted'),
  },
  {
    name: 'a post, opened at a reply',
    path: '/posts/1?reply=1',
    who: 'ann',
    act: async (page) => expect(page.locator('[data-reply="1"]')).toBeFocused(),
  },
  {
    name: 'a private chat, people who reacted to a message',
    path: '/privatechat/:ann',
    who: 'ben',
    act: steps(openReactedMenu, opensFromMenu('button:text-matches("^(Who reacted|リアクションした人)$")')),
  },
]
