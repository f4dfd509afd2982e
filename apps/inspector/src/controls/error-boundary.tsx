import { Component, type ReactNode } from "react";
import { Notice } from "./notice.tsx";

interface ErrorBoundaryProps {
  /** What cannot be shown, as the subject of a sentence. */
  readonly what: string;
  /** Another value of it is tried again. */
  readonly resetOn: unknown;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly error: Error | undefined;
  readonly resetOn: unknown;
}

/** Keeps what cannot be rendered from taking the page with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(
    { resetOn }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return resetOn === state.resetOn ? null : { error: undefined, resetOn };
  }

  override state: ErrorBoundaryState = { error: undefined, resetOn: this.props.resetOn };

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Notice title={`${this.props.what} cannot be shown. The tab Events has it as it came.`}>
        <p>{error.message}</p>
      </Notice>
    );
  }
}
