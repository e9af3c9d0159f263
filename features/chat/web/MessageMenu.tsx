import { Ellipsis } from 'lucide-react'
import { Suspense } from 'react'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import type { MessageMenuProps } from './message-actions.ts'
import { chatText } from './text.ts'

/** Loads the code of the items of message menus, so that a menu that is opened later shows them at once. */
export const loadMessageMenuItemsCode = () => import('./MessageMenuItems.tsx')
const MessageMenuItems = lazyWithRetry(loadMessageMenuItemsCode)

/** Asks the page, because the state in React changes only after the menu has opened or closed. */
const isMenuOpen = (button: HTMLButtonElement) => button.popoverTargetElement?.matches(':popover-open')

/**
 * Renders the menu of a message: a button that is visible on hover and focus, with items that are loaded
 * later.
 */
export function MessageMenu({ message, isOwn, actions }: MessageMenuProps) {
  const t = useText(chatText)
  const note = message.files?.[0]?.voice ? t.voice : message.files ? t.file : t.picture
  const label = t.actions(message.message.slice(0, 40) || note)
  if (!isOwn && !message.message && !message.images.length && !message.files) return null
  return (
    <span className="actions">
      <Menu
        label={label}
        renderButton={({ onKeyDown, ...props }) => (
          // Removes the menu button from the Tab order, because the arrow keys move from message to message.
          // While the menu is open, they move into the menu.
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
          <MessageMenuItems message={message} isOwn={isOwn} actions={actions} />
        </Suspense>
      </Menu>
    </span>
  )
}
