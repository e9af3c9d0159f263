import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { pressed } from '#web/keyboard.ts'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { EDGE, getView, placeMenu } from './menu-position.ts'

type ButtonProps = Pick<
  ComponentProps<'button'>,
  'type' | 'aria-expanded' | 'aria-controls' | 'popoverTarget' | 'onKeyDown' | 'onPointerEnter' | 'onFocus'
>
interface MenuProps {
  /** The button must have all attributes in `props`. */
  renderButton: (props: ButtonProps) => ReactNode
  label: string
  /** The same edge of the button and the menu are aligned. */
  align?: 'start' | 'end'
  /** When Enter or Space opens the menu. A click moves no focus. */
  focusesFirstItem?: boolean
  children: ReactNode
}

export function Menu({ renderButton, label, align = 'end', focusesFirstItem, children }: MenuProps) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  // Only after the pointer or the focus has reached the button, because every message on a page has a menu.
  const [near, setNear] = useState(false)
  const drawItems = () => setNear(true)
  const opener = () => document.querySelector<HTMLElement>(`[popovertarget="${CSS.escape(id)}"]`)
  const updatePosition = () => positionMenu(opener(), ref.current, align)
  const close = () => ref.current?.hidePopover()
  useMenuPosition(open, ref, updatePosition)
  return (
    <>
      {renderButton({
        type: 'button',
        'aria-expanded': open,
        'aria-controls': id,
        popoverTarget: id,
        onKeyDown: (event) => openByArrow(event, ref.current!),
        onPointerEnter: drawItems,
        onFocus: drawItems,
      })}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
      <div
        ref={ref}
        id={id}
        popover="auto"
        className="menu"
        aria-label={label}
        role="group"
        onToggle={(event) => {
          setOpen(event.newState === 'open')
          updatePosition()
          if (focusesFirstItem && event.newState === 'open' && opener()?.matches(':focus-visible'))
            focusItem(event.currentTarget, 0)
        }}
        onKeyDown={moveByKey}
        onClick={(event) => (event.target as Element).closest('a, button:not(.segments > *)') && close()}
        onBlur={({ relatedTarget: to, currentTarget }) => {
          if (to && !currentTarget.contains(to) && to !== opener()) close()
        }}
      >
        {(near || open) && children}
      </div>
    </>
  )
}

const itemsOf = (menu: HTMLElement) => [
  ...menu.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)'),
]

/** Down focuses the first item, Up the last. */
function openByArrow(event: KeyboardEvent, menu: HTMLElement) {
  const key = pressed(event)
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return
  event.preventDefault()
  if (!menu.matches(':popover-open')) menu.showPopover()
  focusItem(menu, key === 'ArrowDown' ? 0 : -1)
}

/** As soon as it is there: the items of some menus load when they are first needed. */
function focusItem(menu: HTMLElement, at: 0 | -1, observer?: MutationObserver) {
  const item = itemsOf(menu).at(at)
  if (item || !menu.matches(':popover-open')) observer?.disconnect()
  if (item) item.focus()
  else if (!observer)
    new MutationObserver((_, own) => focusItem(menu, at, own)).observe(menu, {
      childList: true,
      subtree: true,
    })
}

function moveByKey(event: KeyboardEvent<HTMLElement>) {
  const items = itemsOf(event.currentTarget)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: at < 1 ? items.length - 1 : at - 1,
    Home: 0,
    End: items.length - 1,
  }[pressed(event)]
  if (to === undefined) return
  event.preventDefault()
  items[to]?.focus()
}

function positionMenu(opener: HTMLElement | null, menu: HTMLElement | null, align: 'start' | 'end') {
  if (!opener || !menu) return
  const view = getView()
  menu.style.maxBlockSize = `${view.bottom - view.top - 2 * EDGE}px`
  const { left, top } = placeMenu({
    at: opener.getBoundingClientRect(),
    menu: { width: menu.offsetWidth, height: menu.offsetHeight },
    view,
    isAtLeft: (align === 'start') === (getComputedStyle(menu).direction === 'ltr'),
  })
  menu.style.left = `${left}px`
  menu.style.top = `${top}px`
}

/** While the page scrolls, the window changes its size, or more items are loaded. */
function useMenuPosition(open: boolean, menu: RefObject<HTMLElement | null>, updatePosition: () => void) {
  const onMove = useEffectEvent(updatePosition)
  useEffect(() => {
    if (!open) return
    const controller = new AbortController()
    const { signal } = controller
    for (const target of [window, visualViewport!])
      for (const type of ['scroll', 'resize'])
        target.addEventListener(type, () => onMove(), { passive: true, capture: true, signal })
    const observer = new ResizeObserver(() => onMove())
    observer.observe(menu.current!)
    return () => {
      controller.abort()
      observer.disconnect()
    }
  }, [open, menu])
}

export const MenuItemLink = ({
  href,
  icon,
  children,
}: {
  href: string
  icon: LucideIcon
  children: ReactNode
}) => (
  <Link href={href}>
    <Icon icon={icon} />
    {children}
  </Link>
)

interface MenuButtonProps {
  icon: LucideIcon
  danger?: boolean
  onPress: () => void
  children: ReactNode
}
export const MenuItemButton = ({ icon, danger, onPress, children }: MenuButtonProps) => (
  <button type="button" className={danger ? 'danger' : undefined} onClick={onPress}>
    <Icon icon={icon} />
    {children}
  </button>
)
