import { Ellipsis } from 'lucide-react'
import { Suspense } from 'react'
import { shorten } from '#core/text/shorten.ts'
import { chatText } from '#features/conversations/web/text.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import type { MessageMenuProps } from './actions.ts'
import { messageText } from './text.ts'

export const loadMenuItems = () => import('./MenuItems.tsx')
const MenuItems = lazyWithRetry(loadMenuItems)

/** Asks the page, because the state in React changes only after the menu has opened or closed. */
const isMenuOpen = (button: HTMLButtonElement) => button.popoverTargetElement?.matches(':popover-open')

/** The button is visible on hover and focus; the items are loaded later. */
export function MessageMenu({ message, isOwn, actions }: MessageMenuProps) {
  const t = useText(messageText)
  const { voice, file, picture } = useText(chatText)
  const note = message.files?.[0]?.voice ? voice : message.files ? file : picture
  const label = t.actions(shorten(message.message, 40) || note)
  if (!isOwn && !message.message && !message.images.length && !message.files) return null
  return (
    <span className="actions">
      <Menu
        label={label}
        renderButton={({ onKeyDown, ...props }) => (
          // Tab skips it, because the arrow keys move from message to message, and into an open menu.
          <Button
            {...props}
            onKeyDown={(event) => isMenuOpen(event.currentTarget) && onKeyDown?.(event)}
            tabIndex={-1}
            kind="ghost"
            iconOnly
            small
            icon={Ellipsis}
            label={label}
          />
        )}
      >
        <Suspense>
          <MenuItems message={message} isOwn={isOwn} actions={actions} />
        </Suspense>
      </Menu>
    </span>
  )
}
