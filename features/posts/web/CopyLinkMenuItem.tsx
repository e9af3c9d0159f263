import { Link2 } from 'lucide-react'
import { copyTextToClipboard } from '#web/clipboard.ts'
import { useText } from '#web/i18n.ts'
import { MenuItemButton } from '#web/ui/Menu.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { postMenuText } from './post-menu-text.ts'

/** Renders the menu item that copies the URL of a post or reply to the clipboard. `path` begins with `/`. */
export function CopyLinkMenuItem({ path }: { path: string }) {
  const t = useText(postMenuText)
  const copy = () =>
    copyTextToClipboard(new URL(path, location.origin).href).then(
      () => showToast(t.copied, { key: 'link' }),
      () => showToast(t.notCopied, { key: 'link', kind: 'error' }),
    )
  return (
    <MenuItemButton icon={Link2} onPress={copy}>
      {t.copyLink}
    </MenuItemButton>
  )
}
