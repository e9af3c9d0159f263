import { LogOut, Search, UserPen, UsersRound } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import type { WebModule } from '#web/web-modules.ts'
import { profilePath } from '../contract.ts'

/** Without a search box on the page, opens the page that searches users. */
function search() {
  const box = document.querySelector<HTMLElement>('#main .search input')
  if (box) box.focus()
  else navigate('/follow', { state: { search: true } })
}

export default {
  name: 'people',
  navigation: [
    {
      positions: { topBar: 30 },
      paths: ['/follow'],
      label: { en: 'Search Users', ja: 'メンバーを探す' },
      icon: Search,
    },
    {
      positions: { bottomBar: 30 },
      paths: ['/follow'],
      label: { en: 'Members', ja: 'メンバー' },
      icon: UsersRound,
    },
    {
      positions: { profileMenu: 10 },
      paths: ['/edit'],
      label: { en: 'Edit profile', ja: 'プロフィール編集' },
      icon: UserPen,
      visibleTo: 'members',
    },
    {
      positions: { profileMenu: 90 },
      paths: ['/logout'],
      label: { en: 'Log out', ja: 'ログアウト' },
      icon: LogOut,
      visibleTo: 'members',
    },
  ],
  shortcuts: [
    { order: 20, keys: ['s'], description: { en: 'Search users', ja: 'メンバーを探す' }, run: search },
    {
      order: 70,
      keys: ['g p'],
      description: { en: 'Your own page', ja: '自分のページ' },
      visibleTo: 'members',
      run: (me) => navigate(profilePath(me!)),
    },
  ],
} satisfies WebModule
