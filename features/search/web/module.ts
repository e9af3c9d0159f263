import { Search } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import type { WebModule } from '#web/web-modules.ts'
import * as earlyKeys from './early-keys.ts'

/** The page itself has the focus in its box when it opens without a word. */
function open() {
  const box = document.querySelector<HTMLInputElement>('#main .search-page > search input')
  if (!box) {
    earlyKeys.keep()
    return navigate('/search')
  }
  box.focus()
  box.select()
}

export default {
  name: 'search',
  navigation: [
    {
      positions: { iconButtons: 5 },
      paths: ['/search'],
      label: { en: 'Search', ja: '検索' },
      icon: Search,
      isOnPhones: true,
      onClick: open,
    },
  ],
  shortcuts: [{ order: 15, keys: ['/'], description: { en: 'Search', ja: '検索' }, run: open }],
} satisfies WebModule
