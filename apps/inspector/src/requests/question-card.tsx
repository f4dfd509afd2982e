import type { PendingQuestion } from "@sandbox-agent-ts/react";
import { useId, useState } from "react";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { useAction } from "../controls/use-action.ts";
import { answersOf, type Choice, isAnswered, noChoice, questionsOf } from "./answers.ts";
import { QuestionField } from "./question-field.tsx";

interface QuestionCardProps {
  readonly question: PendingQuestion;
  readonly onAnswer: (answers: string[][]) => Promise<void>;
  readonly onDecline: () => Promise<void>;
}

export function QuestionCard({ question, onAnswer, onDecline }: QuestionCardProps) {
  const questions = questionsOf(question);
  const [choices, setChoices] = useState<readonly Choice[]>(() => questions.map(() => noChoice));
  const { run, isBusy, error } = useAction();
  const titleId = useId();
  const isComplete = choices.every(isAnswered);
  const title = questions.length === 1 ? (questions[0]?.header ?? "Question") : `${questions.length} questions`;
  return (
    <form
      className="request-card"
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) run(() => onAnswer(answersOf(questions, choices)));
      }}
    >
      <div className="request-head">
        <Icon name="question" />
        <div>
          <h2 id={titleId}>{title}</h2>
          <p>The agent asks you and waits.</p>
        </div>
      </div>
      {questions.map((it, at) => (
        <QuestionField
          // biome-ignore lint/suspicious/noArrayIndexKey: questions have no identity but their place
          key={at}
          question={it}
          isFirst={at === 0}
          hasHeader={questions.length > 1}
          choice={choices[at] ?? noChoice}
          onChange={(choice) => setChoices(choices.with(at, choice))}
        />
      ))}
      <div className="request-actions">
        <Button look="primary" type="submit" disabled={isBusy || !isComplete}>
          Answer
        </Button>
        <Button look="quiet" disabled={isBusy} onClick={() => run(onDecline)}>
          Decline to answer
        </Button>
      </div>
      {error && (
        <p className="request-error" role="alert">
          {error}
        </p>
      )}
    </form>
  );
}
