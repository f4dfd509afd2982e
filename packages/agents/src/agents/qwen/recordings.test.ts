import { describeRecordings } from "../../acp/__fixtures__/describe-recordings.ts";
import { quirks } from "./quirks.ts";

describeRecordings(new URL("./__fixtures__/recordings/", import.meta.url), quirks);
