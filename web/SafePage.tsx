import { Component, type ReactNode } from 'react'
import { BrokenPart } from '#web/ErrorPage.tsx'

interface SafePageProps {
  children: ReactNode
  /** What stands in its place. */
  instead?: ReactNode
}

/** What breaks while it is drawn takes its own page down and no more. */
export class SafePage extends Component<SafePageProps, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render() {
    const { children, instead = <BrokenPart /> } = this.props
    return this.state.broken ? instead : children
  }
}
