import { Images, Search } from 'lucide-react'
import { useLocation } from 'wouter'
import { defineTexts, useText } from '#web/i18n.ts'
import { MenuItemLink } from '#web/ui/Menu.tsx'
import { hasPage } from '#web/views.tsx'

const searchMenuText = defineTexts({
  en: { search: 'Search here', attachments: 'Pictures, files and links' },
  ja: { search: 'ここで検索', attachments: '画像・ファイル・リンク' },
})

/** `place` is like `group:5` or `person:7`; in the chat with a person, only messages are meant. */
export function SearchMenuItems({ place }: { place: string }) {
  const isChat = useLocation()[0].startsWith('/privatechat/')
  const t = useText(searchMenuText)
  if (!hasPage('/search')) return null
  return (
    <>
      <MenuItemLink icon={Search} href={`/search?in=${place}${isChat ? '&kind=message' : ''}`}>
        {t.search}
      </MenuItemLink>
      <MenuItemLink icon={Images} href={`/search/attachments?in=${place}&has=picture`}>
        {t.attachments}
      </MenuItemLink>
    </>
  )
}
