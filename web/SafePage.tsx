import { Component, type ReactNode } from 'react'
import { Broken } from '#web/Fault.tsx'

/** What breaks while it is drawn takes its own page down and no more. */
export class SafePage extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render() {
    return this.state.broken ? <Broken /> : this.props.children
  }
}
