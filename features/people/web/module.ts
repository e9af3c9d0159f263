import { LogOut, Search, UserPen } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import type { WebModule } from '#web/modules.ts'
import { profilePath } from '../contract.ts'

/** Puts the cursor into the search box of this page, or of the page that searches users. */
function search() {
  const box = document.querySelector<HTMLElement>('#main .search input')
  if (box) box.focus()
  else navigate('/follow', { state: { search: true } })
}

export default {
  name: 'people',
  navigation: [
    {
      places: { topBar: 30, bottomBar: 30 },
      to: ['/follow'],
      label: { en: 'Search Users', ja: 'ユーザー検索' },
      icon: Search,
    },
    {
      places: { profileMenu: 10 },
      to: ['/edit'],
      label: { en: 'Edit profile', ja: 'プロフィール編集' },
      icon: UserPen,
      visibleTo: 'members',
    },
    {
      places: { profileMenu: 90 },
      to: ['/logout'],
      label: { en: 'Log out', ja: 'ログアウト' },
      icon: LogOut,
      visibleTo: 'members',
    },
  ],
  withoutFloatingAction: /^\/(edit|follow|dashboard)/,
  shortcuts: [
    { order: 20, keys: ['s', '/'], does: { en: 'Search users', ja: 'ユーザー検索' }, run: search },
    {
      order: 70,
      keys: ['g p'],
      does: { en: 'Your own page', ja: '自分のページ' },
      visibleTo: 'members',
      run: (me) => navigate(profilePath(me!)),
    },
  ],
} satisfies WebModule
