import type { ComponentProps, MouseEvent, ReactNode, Ref } from 'react'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'

interface ButtonStyle {
  kind?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-filled' | undefined
  small?: boolean | undefined
  fullWidth?: boolean | undefined
  /** Needs `label`, for screen readers. */
  iconOnly?: boolean | undefined
  label?: string | undefined
  icon?: LucideIcon | undefined
  className?: string | undefined
  children?: ReactNode
}
interface ButtonProps extends ButtonStyle, Omit<ComponentProps<'button'>, keyof ButtonStyle | 'ref'> {
  /** Clicks do nothing while the action runs; the button keeps its width and the focus. */
  pending?: boolean | undefined
  /** What a click does while the action runs, if it does something. */
  onPending?: (() => void) | undefined
  ref?: Ref<HTMLButtonElement> | undefined
}
interface LinkProps extends ButtonStyle, Omit<ComponentProps<'a'>, keyof ButtonStyle | 'href' | 'ref'> {
  href: string
  state?: unknown
}

const elementProps = <P extends ButtonStyle & { 'aria-label'?: string | undefined }>({
  kind = 'secondary',
  small,
  fullWidth,
  iconOnly,
  label,
  icon,
  className,
  children,
  ...rest
}: P) => ({
  ...rest,
  className: ['button', kind, small && 'small', fullWidth && 'full-width', iconOnly && 'icon-only', className]
    .filter(Boolean)
    .join(' '),
  'aria-label': label ?? rest['aria-label'],
  children: (
    <>
      {icon && <Icon icon={icon} size={small ? 's' : undefined} />}
      {!iconOnly && children}
    </>
  ),
})

export function Button({ pending, onPending, onClick, type = 'button', ...rest }: ButtonProps) {
  // Ignores the second click of a double click even before `pending` is set.
  const isOnce = type === 'submit' || rest.kind === 'primary' || rest.kind === 'danger-filled'
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending || (isOnce && event.detail > 1)) event.preventDefault()
    else onClick?.(event)
    if (pending) onPending?.()
  }
  return (
    <button
      {...elementProps(rest)}
      type={type}
      aria-busy={pending || undefined}
      data-pending={pending ? '' : undefined}
      onClick={click}
    />
  )
}

export const ButtonLink = (props: LinkProps) => <Link {...elementProps(props)} />
